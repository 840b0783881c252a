//! Damaged bitcode gives a module or an error: no panic, no hang, no flood of memory. What is read
//! is lowered or refused.
//!
//! `cargo xtask fuzz --decoder` runs this for as long as one likes: `MAZURKA_MUTATIONS` says how
//! many inputs, `MAZURKA_SECONDS` for how long, `MAZURKA_SEED` which is the first.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_llvm::bitcode::decode;
use mazurka_llvm::{Settings, compile};

/// How many damaged inputs every test run tries.
const COUNT: u64 = 3_000;
/// Every so many-th input is lowered, which takes much longer than reading.
const LOWERED: u64 = 8;
/// How long a single input may take: far more than any does, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(20);
/// How many bytes of memory may be in use at most, in kilobytes.
const MEMORY: u64 = 2_000_000;

/// Numbers that look random and are always the same (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// The files that are damaged.
fn originals() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let seeds = std::fs::read_dir(folder.join("tests/decode/seeds")).expect("the seeds are there");
    let mut paths: Vec<PathBuf> = seeds.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed can be read")).collect()
}

/// A damaged file: one to four damages.
fn damaged(originals: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
    let mut bytes = originals[random.below(originals.len())].clone();
    for _ in 0..1 + random.below(4) {
        let words = bytes.len() / 4;
        let word = random.below(words) * 4;
        match random.below(16) {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => drop(bytes.drain(word..(word + 4).min(bytes.len()))),
            2 => {
                let copy = bytes[word..(word + 4).min(bytes.len())].to_vec();
                bytes.splice(word..word, copy);
            }
            3 => {
                let other = random.below(words) * 4;
                for byte in 0..4.min(bytes.len() - word.max(other)) {
                    bytes.swap(word + byte, other + byte);
                }
            }
            4 => {
                let fill = [0, 0xff, 0x80, 1][random.below(4)];
                bytes[word..].iter_mut().take(4).for_each(|byte| *byte = fill);
            }
            5 => {
                let other = &originals[random.below(originals.len())];
                let start = random.below(other.len());
                let end = (start + 1 + random.below(64)).min(other.len());
                bytes.splice(word..word, other[start..end].iter().copied());
            }
            _ => {
                // Most bits belong to operands of records, so this changes what records say.
                let byte = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(byte) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
        if bytes.len() < 8 {
            break;
        }
    }
    bytes
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn damaged_bitcode_gives_a_module_or_an_error() {
    let originals = originals();
    for original in &originals {
        decode(original).expect("the seeds are sound");
    }
    let first = setting("MAZURKA_SEED").unwrap_or(0);
    let deadline = setting("MAZURKA_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let count = setting("MAZURKA_MUTATIONS").unwrap_or(if deadline.is_some() { u64::MAX } else { COUNT });
    let (next, read, refused) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let jobs = if count == COUNT { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let watches: Vec<Watch> = (0..jobs).map(|_| Watch::default()).collect();
    let work = |watch: &Watch| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || deadline.is_some_and(|deadline| Instant::now() > deadline) {
                break;
            }
            watch.begin(first.wrapping_add(number));
            match survives(&originals, first.wrapping_add(number)) {
                true => read.fetch_add(1, Ordering::Relaxed),
                false => refused.fetch_add(1, Ordering::Relaxed),
            };
        }
        watch.ended.store(true, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        for watch in &watches {
            scope.spawn(|| work(watch));
        }
        while watches.iter().any(|watch| !watch.ended.load(Ordering::Relaxed)) {
            watches.iter().for_each(Watch::look);
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let (read, refused) = (read.into_inner(), refused.into_inner());
    let most = peak_memory();
    eprintln!("{read} damaged files read, {refused} refused, {most} kB of memory");
    assert!(most < MEMORY, "{most} kB of memory");
}

/// What one thread is at, so that another sees if it does not come to an end.
struct Watch {
    seed: AtomicU64,
    since: Mutex<Instant>,
    ended: AtomicBool,
}

impl Default for Watch {
    fn default() -> Self {
        Watch { seed: AtomicU64::new(0), since: Mutex::new(Instant::now()), ended: AtomicBool::new(false) }
    }
}

impl Watch {
    fn begin(&self, seed: u64) {
        self.seed.store(seed, Ordering::Relaxed);
        *self.since.lock().expect("nobody panics with it") = Instant::now();
    }

    fn look(&self) {
        let elapsed = self.since.lock().expect("nobody panics with it").elapsed();
        if elapsed > LIMIT && !self.ended.load(Ordering::Relaxed) {
            eprintln!("seed {}: reading takes longer than {LIMIT:?}", self.seed.load(Ordering::Relaxed));
            std::process::exit(1);
        }
    }
}

/// Whether a damaged file is read; fails if reading panics. Of the files that are read, some are
/// lowered too.
fn survives(originals: &[Vec<u8>], seed: u64) -> bool {
    let bytes = damaged(originals, seed);
    let attempt = || match decode(&bytes) {
        Ok(module) => {
            if seed.is_multiple_of(LOWERED) {
                let _ = compile(vec![module], &Settings::default(), &|_| None);
            }
            true
        }
        Err(_) => false,
    };
    match std::panic::catch_unwind(attempt) {
        Ok(read) => read,
        Err(_) => {
            eprintln!("seed {seed}: reading or lowering panics");
            std::process::exit(1);
        }
    }
}

/// The most memory that was in use so far, in kilobytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)).and_then(|number| number.parse().ok()).unwrap_or(0)
}
