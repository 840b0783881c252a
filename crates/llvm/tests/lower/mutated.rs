//! Whatever the decoder makes of damaged bitcode, lowering it comes to an end without a panic.
//!
//! `MAZURKA_MUTATIONS=100000` tries more than usual.

use mazurka_llvm::{Settings, bitcode, compile};

use crate::common::{bitcodes, compilers, program};

fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn damaged_bitcode_is_lowered_or_refused() {
    let Some((compiler, clang)) = compilers() else {
        eprintln!("there is no clang: nothing is damaged");
        return;
    };
    let tries = std::env::var("MAZURKA_MUTATIONS").ok().and_then(|value| value.parse().ok()).unwrap_or(120);
    let settings = Settings { unroll: Some(3), overflow: true, nondet: Some((0, 1)), ..Settings::default() };
    let (mut lowered, mut refused, mut unreadable) = (0, 0, 0);
    for name in ["language.c", "atomics.c", "objects.cpp"] {
        let source = program(name);
        for (at, bytes) in bitcodes(&clang, &compiler, &source, &["-O2"]).into_iter().enumerate() {
            let mut state = at as u64 + name.len() as u64;
            for _ in 0..tries / 6 {
                let mut damaged = bytes.clone();
                for _ in 0..1 + next(&mut state) % 4 {
                    let place = next(&mut state) % damaged.len();
                    damaged[place] ^= 1 << (next(&mut state) % 8);
                }
                match bitcode::decode(&damaged).map(|module| compile(vec![module], &settings, &|_| None)) {
                    Ok(Ok(_)) => lowered += 1,
                    Ok(Err(_)) => refused += 1,
                    Err(_) => unreadable += 1,
                }
            }
        }
    }
    eprintln!("{lowered} lowered, {refused} refused, {unreadable} unreadable");
    assert!(lowered + refused > 0);
}
