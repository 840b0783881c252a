//! What machines have in common that take steps back: memory with a log of its changes, lists of
//! what steps did, and marks that need not be cleared.

/// One change of a memory of words.
#[derive(Clone, Copy, Debug)]
pub struct Change<W> {
    /// Where.
    pub slot: u32,
    /// The word that was there before.
    pub old: W,
}

/// Writes a word, and remembers the old one in the log.
#[inline(always)]
pub fn write<W: Copy>(memory: &mut [W], log: &mut Vec<Change<W>>, slot: usize, word: W) {
    log.push(Change { slot: slot as u32, old: memory[slot] });
    memory[slot] = word;
}

/// Takes back all changes of a memory but the first `length` of its log.
#[inline(always)]
pub fn undo<W: Copy>(memory: &mut [W], log: &mut Vec<Change<W>>, length: usize) {
    while log.len() > length {
        let Some(change) = log.pop() else { return };
        memory[change.slot as usize] = change.old;
    }
}

/// What the steps of the current execution did of one kind, each with the step's number: a process
/// that was started, a task that failed. It is taken back with the step.
#[derive(Clone, Debug)]
pub struct Deeds<T> {
    deeds: Vec<(u32, T)>,
}

impl<T> Default for Deeds<T> {
    fn default() -> Self {
        Self { deeds: Vec::new() }
    }
}

impl<T: Copy> Deeds<T> {
    /// A step did this.
    #[inline]
    pub fn note(&mut self, step: usize, deed: T) {
        self.deeds.push((step as u32, deed));
    }

    /// Takes back the newest deed, if it is one of this step.
    #[inline]
    pub fn take_back(&mut self, step: usize) -> Option<T> {
        let &(_, deed) = self.deeds.last().filter(|deed| deed.0 as usize == step)?;
        self.deeds.pop();
        Some(deed)
    }

    /// All deeds, in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.deeds.iter().map(|&(_, deed)| deed)
    }

    /// The deeds of a step and of those after it, newest first.
    pub fn since(&self, step: usize) -> impl Iterator<Item = T> + '_ {
        self.deeds.iter().rev().take_while(move |deed| deed.0 as usize >= step).map(|&(_, deed)| deed)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.deeds.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.deeds.is_empty()
    }
}

/// Marks on slots, all of which go away at once.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// For each slot, the last round in which it was marked.
    rounds: Vec<u32>,
    round: u32,
}

impl Marks {
    /// So many slots, none of which is marked.
    pub fn begin(&mut self, slots: usize) {
        self.rounds.resize(slots, 0);
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.rounds.fill(0);
            1
        });
    }

    /// Marks a slot; whether it was not marked before.
    #[inline]
    pub fn mark(&mut self, slot: usize) -> bool {
        std::mem::replace(&mut self.rounds[slot], self.round) != self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_taken_back_in_order() {
        let (mut memory, mut log) = (vec![1, 2, 3], Vec::new());
        write(&mut memory, &mut log, 1, 7);
        write(&mut memory, &mut log, 1, 8);
        write(&mut memory, &mut log, 0, 9);
        undo(&mut memory, &mut log, 1);
        assert_eq!(memory, [1, 7, 3]);
        undo(&mut memory, &mut log, 0);
        assert_eq!(memory, [1, 2, 3]);
    }

    #[test]
    fn deeds_go_with_their_steps() {
        let mut deeds = Deeds::default();
        for (step, deed) in [(0, 'a'), (2, 'b'), (2, 'c')] {
            deeds.note(step, deed);
        }
        assert_eq!(deeds.since(1).collect::<String>(), "cb");
        assert_eq!([deeds.take_back(2), deeds.take_back(2), deeds.take_back(2)], [Some('c'), Some('b'), None]);
        assert_eq!(deeds.iter().collect::<String>(), "a");
    }

    #[test]
    fn marks_last_one_round() {
        let mut marks = Marks::default();
        marks.begin(2);
        assert!(marks.mark(1) && !marks.mark(1) && marks.mark(0));
        marks.begin(3);
        assert!(marks.mark(1) && marks.mark(2));
    }
}
