//! Names of processes, looked up once.

use std::sync::Arc;

use mazurka_machine::Describe;
use mazurka_trace::ProcessId;

/// The names of a machine's processes. Numbers differ from machine to machine (a process is
/// numbered when it is first spawned), names do not.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: Vec<Option<Name>>,
}

/// A name, and a number that stands for it in every machine.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) hash: u64,
}

impl Names {
    pub(crate) fn get(&mut self, describe: &impl Describe, process: ProcessId) -> &Name {
        if self.known.len() <= process.index() {
            self.known.resize(process.index() + 1, None);
        }
        self.known[process.index()].get_or_insert_with(|| {
            let text = describe.process_key(process);
            Name { hash: fnv(text.as_bytes()), text: text.into() }
        })
    }
}

/// The hash of Fowler, Noll and Vo.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
