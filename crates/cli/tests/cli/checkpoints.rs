//! `mazurka check --checkpoint FILE` and `--resume FILE`.

use std::process::Stdio;
use std::time::Duration;

use crate::sandbox::{LOST_UPDATE, Ran, Sandbox};

/// Processes that write different values, several times: many executions.
const WRITERS: &str = "int x = 0, y = 0;\n\
                       process p[4](i) { x = i; y = x + i; int t = y; x = t; }\n\
                       finally { assert x >= 0; }\n";

/// What does not depend on how the work is divided.
fn counts(ran: &Ran) -> [Option<u64>; 4] {
    let json = ran.json();
    ["executions", "blocked", "assume_blocked", "max_events"].map(|name| json[name].as_u64())
}

/// An exploration that is interrupted again and again counts the same as one that is not.
#[test]
fn an_exploration_goes_on_where_it_was() {
    let sandbox = Sandbox::new("checkpoints");
    sandbox.write("writers.mzk", WRITERS);
    let check = ["check", "writers.mzk", "-a", "optimal", "--no-hunt", "--format", "json"];
    let straight = sandbox.run(&check);
    assert_eq!(straight.status, Some(0), "{straight:?}");
    let kept = ["--checkpoint", "kept", "--checkpoint-every", "0.01"];
    let mut ran = sandbox.run(&[&check[..], &kept, &["--timeout", "0.05"]].concat());
    let mut parts = 1;
    while ran.status == Some(3) && parts < 1000 {
        let threads = ["1", "2", "3"][parts % 3];
        let more = ["--resume", "kept", "--timeout", "0.2", "--threads", threads];
        ran = sandbox.run(&[&check[..], &kept, &more].concat());
        parts += 1;
    }
    assert!(parts > 1, "the program is too small");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(counts(&ran), counts(&straight), "after {parts} parts");
}

/// A check that is killed has lost only what came after its last checkpoint.
#[test]
fn a_killed_check_is_resumed() {
    let sandbox = Sandbox::new("checkpoints-killed");
    sandbox.write("writers.mzk", WRITERS);
    let check = ["check", "writers.mzk", "-a", "source", "--no-hunt", "--format", "json"];
    let straight = sandbox.run(&check);
    let kept = ["--checkpoint", "kept", "--checkpoint-every", "0.005", "--threads", "2"];
    for pause in [30, 70, 20, 50] {
        let resume = ["--resume", "kept"];
        let more = if sandbox.path().join("kept").exists() { &resume[..] } else { &[] };
        let mut command = sandbox.mazurka(&[&check[..], &kept, more].concat());
        let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be started");
        std::thread::sleep(Duration::from_millis(pause));
        // It may have come to its end.
        let _ = running.kill();
        running.wait().expect("it can be waited for");
    }
    let ran = sandbox.run(&[&check[..], &["--resume", "kept"]].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!([counts(&ran)[0], counts(&ran)[3]], [counts(&straight)[0], counts(&straight)[3]]);
}

/// Failures that were found before are there, with schedules that can be replayed.
#[test]
fn failures_are_kept() {
    let sandbox = Sandbox::new("checkpoints-failures");
    sandbox.write("writers.mzk", WRITERS.replace("assert x >= 0", "assert x != 3"));
    let check = ["check", "writers.mzk", "-a", "optimal", "--all", "--format", "json"];
    let straight = sandbox.run(&check);
    let kept = ["--checkpoint", "kept", "--checkpoint-every", "0.01", "--timeout", "0.1"];
    assert_eq!(sandbox.run(&[&check[..], &kept].concat()).status, Some(1));
    let ran = sandbox.run(&[&check[..], &["--resume", "kept", "--save-trace", "trace.json"]].concat());
    let shown = |ran: &Ran| ran.json()["violations"][0]["executions"].as_u64();
    assert_eq!((ran.status, shown(&ran)), (Some(1), shown(&straight)), "{ran:?}");
    assert_eq!(sandbox.run(&["replay", "writers.mzk", "trace.json"]).status, Some(1));
}

#[test]
fn what_cannot_be_resumed_is_refused() {
    let sandbox = Sandbox::new("checkpoints-refused");
    sandbox.write("writers.mzk", WRITERS).write("lost.mzk", LOST_UPDATE).write("text", "no checkpoint");
    let keep = ["check", "writers.mzk", "-a", "optimal", "--timeout", "0.05", "--checkpoint", "kept"];
    assert_eq!(sandbox.run(&keep).status, Some(3));
    let refused = |words: &[&str], part: &str| {
        sandbox.run(&[&["check"], words].concat()).is_refused(&[part]);
    };
    let writers = ["writers.mzk", "-a", "optimal", "--resume"];
    refused(&[&writers[..], &["nowhere"]].concat(), "there is no file `nowhere`");
    refused(&[&writers[..], &["text"]].concat(), "it is no checkpoint");
    refused(&["lost.mzk", "-a", "optimal", "--resume", "kept"], "it is of another program");
    refused(&["writers.mzk", "-a", "none", "--resume", "kept"], "it was made with -a `optimal`, and this is `none`");
    refused(&[&writers[..], &["kept", "--all"]].concat(), "it was made with --all");
    refused(&[&writers[..], &["kept", "--max-depth", "5"]].concat(), "it was made with --max-depth");
    refused(&["lost.mzk", "-a", "cs", "--checkpoint", "new"], "an exploration by `cs` cannot be kept");
    let text = std::fs::read(sandbox.path().join("kept")).expect("it was written");
    sandbox.write("short", &text[..text.len() / 2]);
    refused(&[&writers[..], &["short"]].concat(), "it is damaged or cut off");
    let mut other = text.clone();
    let middle = text.len() / 2;
    other[middle] ^= 1;
    sandbox.write("other", &other);
    refused(&[&writers[..], &["other"]].concat(), "damaged");
}
