//! Damaged ABS files: the front end must read or refuse them, and the machine must run what was
//! read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mazurka_actor::{ActorMachine, Options, Source, compile};
use mazurka_machine::Run;
use mazurka_trace::{Ending, Event, ProcessId};

use crate::check::catch;
use crate::random::Random;

/// Reading a file, and the few steps after that, may take so long.
const LONG: Duration = Duration::from_secs(5);

/// What may stand where it is not expected.
const PIECES: &str = "{ } ( ) [ ] < > ; , . ! ? & && || => = == - / % ' \" \\ // /* */ 0 1 99999999999999999999 1/0 _ x \
    this null get await suspend return throw try catch finally while if then else when case switch let in foreach \
    new local cog module import export from data type def builtin interface class implements extends exception \
    assert skip Int Bool Unit Fut<Int> List< Map<Int,Int> Nil Cons(1,Nil) True é \u{0} \u{feff} \n $";

/// How a damaged file fared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damaged {
    /// It was refused, with a message.
    Refused,
    /// It was read, and ran.
    Ran,
}

/// The damaged file of a seed, made of one of the originals.
pub fn damage(originals: &[String], seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = random.pick(originals).clone();
    for _ in 0..random.between(1, 6) {
        let (from, to) = (place(&text, &mut random), place(&text, &mut random));
        let (from, to) = (from.min(to), from.max(to));
        match random.below(8) {
            0 => text.truncate(from),
            1 => text.replace_range(from..to.min(next(&text, from + 20)), ""),
            2 => {
                let copy = text[from..to.min(next(&text, from + 60))].to_owned();
                text.insert_str(from, &copy);
            }
            3 => {
                let other = random.pick(originals);
                let (start, end) = (place(other, &mut random), place(other, &mut random));
                text.insert_str(from, &other[start.min(end)..start.max(end).min(next(other, start.min(end) + 80))]);
            }
            4 => {
                let piece = piece(&mut random).repeat(random.between(1, 300));
                text.insert_str(from, &piece);
            }
            _ => text.insert_str(from, piece(&mut random)),
        }
    }
    text
}

fn piece(random: &mut Random) -> &'static str {
    let pieces: Vec<&str> = PIECES.split(' ').filter(|piece| !piece.is_empty()).collect();
    pieces[random.below(pieces.len())]
}

/// A place between two characters.
fn place(text: &str, random: &mut Random) -> usize {
    next(text, random.below(text.len() + 1))
}

/// The first place between two characters that is not before this.
fn next(text: &str, at: usize) -> usize {
    (at.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Reads a damaged file, and runs it a little.
///
/// # Errors
/// A panic, an error without a message, or that it took too long.
pub fn check_damaged(text: &str) -> Result<Damaged, String> {
    let started = Instant::now();
    let fared = catch(|| Ok(read(text))).map_err(|panic| panic.to_string())??;
    match started.elapsed() {
        long if long > LONG => Err(format!("it took {long:?}")),
        _ => Ok(fared),
    }
}

fn read(text: &str) -> Result<Damaged, String> {
    let image = match compile(&[Source { name: "damaged.abs", text }], &Options::default()) {
        Ok(image) => Arc::new(image),
        Err(problems) if problems.iter().any(|problem| !problem.message.is_empty()) => return Ok(Damaged::Refused),
        Err(_) => return Err("it is refused without a message".to_owned()),
    };
    let mut machine = ActorMachine::new(image);
    machine.set_fuel(100_000);
    let mut event = Event::default();
    for _ in 0..30 {
        let live: Vec<ProcessId> = machine.live().iter().collect();
        let Some(process) = live.into_iter().find(|&process| machine.is_enabled(process)) else { break };
        machine.step(process, &[], &mut event);
        if matches!(event.ending, Ending::Halts | Ending::OutOfFuel) {
            break;
        }
    }
    machine.restart();
    Ok(Damaged::Ran)
}
