//! Which registers matter where.
//!
//! Most registers are written and read in one block only; the sets are over the others.

use super::draft::{Draft, Temp};

/// The registers that matter at the borders of blocks.
#[derive(Debug)]
pub(super) struct Liveness {
    /// The registers that are read in a block before they are written there.
    temps: Vec<Temp>,
    words: usize,
    ins: Vec<u64>,
    outs: Vec<u64>,
}

impl Liveness {
    /// Finds out.
    pub(super) fn of(draft: &Draft) -> Liveness {
        let mut numbers = vec![u32::MAX; draft.temps as usize];
        let mut temps = Vec::new();
        // The block in which a register was written last, in the order in which we look at them.
        let mut written = vec![usize::MAX; draft.temps as usize];
        let mut exposed: Vec<Vec<u32>> = Vec::with_capacity(draft.blocks.len());
        for (at, block) in draft.blocks.iter().enumerate() {
            let mut reads = Vec::new();
            let mut read = |temp: Temp, written: &[usize]| {
                if written[temp.index()] != at {
                    let number = &mut numbers[temp.index()];
                    if *number == u32::MAX {
                        *number = temps.len() as u32;
                        temps.push(temp);
                    }
                    reads.push(*number);
                }
            };
            if let Some(counter) = block.head.and_then(|head| head.counter) {
                read(counter, &written);
            }
            for (op, _) in &block.code {
                draft.visit(op, |temp| read(temp, &written), |_| {});
                draft.visit(op, |_| {}, |temp| written[temp.index()] = at);
            }
            draft.visit_end(&block.end, |temp| read(temp, &written));
            exposed.push(reads);
        }
        let words = temps.len().div_ceil(64);
        let mut live = Liveness {
            temps,
            words,
            ins: vec![0; words * draft.blocks.len()],
            outs: vec![0; words * draft.blocks.len()],
        };
        live.solve(draft, &numbers, &exposed);
        live
    }

    fn solve(&mut self, draft: &Draft, numbers: &[u32], exposed: &[Vec<u32>]) {
        let words = self.words;
        let mut killed = vec![0u64; words * draft.blocks.len()];
        for (at, block) in draft.blocks.iter().enumerate() {
            for (op, _) in &block.code {
                draft.visit(
                    op,
                    |_| {},
                    |temp| {
                        let number = numbers[temp.index()];
                        if number != u32::MAX {
                            killed[at * words + number as usize / 64] |= 1 << (number % 64);
                        }
                    },
                );
            }
            for &number in &exposed[at] {
                self.ins[at * words + number as usize / 64] |= 1 << (number % 64);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (at, block) in draft.blocks.iter().enumerate().rev() {
                for successor in block.end.successors() {
                    for word in 0..words {
                        self.outs[at * words + word] |= self.ins[successor * words + word];
                    }
                }
                for word in 0..words {
                    let place = at * words + word;
                    let new = self.ins[place] | self.outs[place] & !killed[place];
                    changed |= new != self.ins[place];
                    self.ins[place] = new;
                }
            }
        }
    }

    fn members<'s>(&'s self, set: &'s [u64]) -> impl Iterator<Item = Temp> + 's {
        set.iter().enumerate().flat_map(move |(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| self.temps[word * 64 + bit])
        })
    }

    /// The registers that matter at the beginning of a block.
    pub(super) fn ins(&self, block: usize) -> impl Iterator<Item = Temp> + '_ {
        self.members(&self.ins[block * self.words..(block + 1) * self.words])
    }

    /// The registers that matter at the end of a block.
    pub(super) fn outs(&self, block: usize) -> impl Iterator<Item = Temp> + '_ {
        self.members(&self.outs[block * self.words..(block + 1) * self.words])
    }
}
