//! How many contexts a second are generated: `cargo run --profile quick --example speed`.

use std::time::Instant;

use mazurka_contexts::{Contexts, Interval};

fn main() {
    let class = vec![Interval { least: 1, most: 2 }; 4];
    let mut contexts = Contexts::new(&[class.clone(), class.clone(), class]);
    let (started, mut sum, mut count) = (Instant::now(), 0usize, 0u32);
    while count < 20_000_000 && contexts.advance() {
        sum += contexts.locations().count();
        count += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{count} contexts with {sum} locations in {seconds:.2} s: {:.1} million a second",
        f64::from(count) / seconds / 1e6
    );
}
