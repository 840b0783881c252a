//! From an outcome to plain view data, and from view data to styled text. No input, no output.
//!
//! [`record()`] runs a failing schedule once more, step by step, and writes down what each step did
//! in the user's words: a [`Timeline`]. [`timeline_text`] lays it out with one column for each
//! process; [`verdict_line`] and [`totals_text`] word the rest of a report. All of them are
//! functions of their arguments alone: a terminal, a file and a web page can share them.

mod columns;
mod diagram;
mod dot;
mod drawing;
mod effects;
mod explanation;
mod fold;
mod layout;
mod list;
mod markup;
mod pieces;
mod record;
mod summary;
mod text;
mod topology;
mod view;
mod words;

#[cfg(test)]
mod samples;

pub use diagram::diagram_text;
pub use dot::unfolding_dot;
pub use drawing::{diagrams_html, diagrams_svg};
pub use effects::access_text;
pub use explanation::explanation_text;
pub use layout::{Layout, steps_left_out, timeline_text};
pub use record::{Misfit, MisfitReason, NamedStep, failure_of, record, replay, trace};
pub use summary::{Bounds, Summary, busiest_text, endless_text, totals_text, verdict_line, violation_heading};
pub use text::{Line, Style, Text};
pub use topology::{journey_text, topology_svg};
pub use view::{DataRace, Effect, Failure, Step, Switch, Timeline, Turn, Waiter, fault_kind, fault_name, kind_name};
pub use words::{counted, duration, grouped};
