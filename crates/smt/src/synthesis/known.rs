//! Where what was found is kept, under a key that says what it is about.

use std::collections::HashMap;

/// What is kept under the key of a proof.
pub const PROVEN: &str = "mazurka: proven";

/// Where what was found is kept.
pub trait Known {
    /// What is kept under a key.
    fn get(&mut self, key: &str) -> Option<String>;

    /// Keeps it.
    fn put(&mut self, key: &str, text: &str);
}

/// Nothing is known, and nothing is kept.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Known for Nothing {
    fn get(&mut self, _key: &str) -> Option<String> {
        None
    }

    fn put(&mut self, _key: &str, _text: &str) {}
}

/// In memory.
impl Known for HashMap<String, String> {
    fn get(&mut self, key: &str) -> Option<String> {
        HashMap::get(self, key).cloned()
    }

    fn put(&mut self, key: &str, text: &str) {
        self.insert(key.to_owned(), text.to_owned());
    }
}

/// The key of a text: a number of 128 bits (FNV-1a, two of 64 bits). Not meant against malice.
pub fn key(text: &str) -> String {
    let digest = |basis: u64| {
        let step = |digest: u64, byte: u8| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(basis, step)
    };
    format!("{:016x}{:016x}", digest(0xcbf2_9ce4_8422_2325), digest(0x9e37_79b9_7f4a_7c15))
}
