//! The exit status.

use std::process::ExitCode;

use mazurka_trace::Verdict;

/// How a run of the program ends; scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// No schedule fails.
    Verified = 0,
    /// Some schedule fails.
    Violation = 1,
    /// The input or the call is wrong.
    Refused = 2,
    /// Something was left out, and no failure was found.
    Incomplete = 3,
    /// We failed.
    Bug = 4,
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Verified => Status::Verified,
            Verdict::Violation => Status::Violation,
            Verdict::Incomplete => Status::Incomplete,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}
