//! What an exploration left out, and why, in words.

use mazurka_trace::{Check, Comparison, Explanation};

use crate::text::{Line, Style, Text};

/// A schedule shows at most so many of its last steps.
const MOST_STEPS: usize = 24;

/// The explanations of an exploration: what it explored, which orders it found to lead to the same
/// state, and what it cut because of that.
pub fn explanation_text(explanations: &[Explanation<String, String, String>]) -> Text {
    let mut text = Text::default();
    let what = "what was left out, and why (a schedule is written as the processes that step)";
    text.push(Line::new().with(Style::Strong, what));
    text.push(Line::new().with(Style::Plain, summary(explanations)));
    for explanation in explanations {
        text.push(match explanation {
            Explanation::Unordered { sites: [one, other] } => Line::new()
                .with(Style::Good, "either order ")
                .with(Style::Plain, format!("{one} and {other}"))
                .with(Style::Dim, "   known to commute for good"),
            Explanation::Explored { schedule } => {
                Line::new().with(Style::Good, "explored ").with(Style::Plain, steps(schedule))
            }
            Explanation::Compared(comparison) => compared(comparison),
            Explanation::Cut { schedule, because, asleep } => Line::new()
                .with(Style::Open, "cut      ")
                .with(Style::Plain, steps(schedule))
                .with(Style::Dim, cause(schedule, because, asleep)),
        });
        if let Explanation::Compared(comparison) = explanation {
            for line in evidence(comparison) {
                text.push(Line::new().with(Style::Dim, format!("       {line}")));
            }
        }
    }
    text
}

/// How much was left out.
fn summary(explanations: &[Explanation<String, String, String>]) -> String {
    let comparisons = explanations.iter().filter_map(|explanation| match explanation {
        Explanation::Compared(comparison) => Some(comparison.same),
        _ => None,
    });
    let (compared, same) = comparisons.fold((0, 0), |(all, same), equal| (all + 1, same + usize::from(equal)));
    let cut = explanations.iter().filter(|explanation| matches!(explanation, Explanation::Cut { .. })).count();
    let unordered = explanations.iter().any(|explanation| matches!(explanation, Explanation::Unordered { .. }));
    let races = if compared == 1 { "race was" } else { "races were" };
    match (cut, compared) {
        (0, 0) if unordered => {
            "other orders of steps that are known to commute for good; no states were compared".to_owned()
        }
        (0, 0) => "nothing: no race was found whose two orders could be compared".to_owned(),
        (0, _) => format!("nothing was cut: {compared} {races} compared, {same} with the same state in both orders"),
        (_, _) => format!("{cut} cut: {compared} {races} compared, {same} with the same state in both orders"),
    }
}

fn compared(comparison: &Comparison<String, String>) -> Line {
    let Comparison { number, first, second, after, explored, reversed, .. } = comparison;
    let place = if after.is_empty() { "at the beginning".to_owned() } else { format!("after {}", steps(after)) };
    let kind = if comparison.observed { "observed writes" } else { "a race" };
    let verdict = if comparison.same { "leads where" } else { "does not lead where" };
    let style = if comparison.same { Style::Effect } else { Style::Dim };
    Line::new()
        .with(style, format!("   [{number}] {}.{} and {}.{}, {kind} {place}: ", first.0, first.1, second.0, second.1))
        .with(style, format!("{} {verdict} {} does", steps(reversed), steps(explored)))
}

/// What a comparison rests on: what the two steps did in either order.
fn evidence(comparison: &Comparison<String, String>) -> Vec<String> {
    let Comparison { explored, reversed, used, .. } = comparison;
    let order = |schedule: &[String], used: &[(String, Vec<String>)]| {
        let uses: Vec<String> = used.iter().map(|(process, uses)| format!("{process} {}", uses.join(", "))).collect();
        format!("{}: {}", steps(schedule), uses.join("; "))
    };
    match comparison.check {
        Check::States => vec![order(explored, &used[0]), order(reversed, &used[1])],
        Check::Uses => vec!["one of the two does not do the same in the other order, or cannot run in it".to_owned()],
        Check::Constraint => vec!["as is known of when the two commute".to_owned()],
    }
}

/// Why an exploration was cut.
fn cause(schedule: &[String], because: &[usize], asleep: &[(String, usize)]) -> String {
    let last = schedule.last().map_or("", String::as_str);
    if !because.is_empty() {
        let numbers: Vec<String> = because.iter().map(|number| format!("[{number}]")).collect();
        return format!("   {last} is forbidden by {}", numbers.join(", "));
    }
    if asleep.is_empty() {
        return "   the same as one explored before, as far as somebody observes it".to_owned();
    }
    let explored: Vec<String> = asleep
        .iter()
        .map(|(process, length)| match &schedule[..*length] {
            [] => format!("{process} from the beginning"),
            before => format!("{process} after {}", steps(before)),
        })
        .collect();
    format!("   explored before: {}", explored.join(", "))
}

/// A schedule, as the processes that step; of a long one the end.
fn steps(schedule: &[String]) -> String {
    let shown = &schedule[schedule.len().saturating_sub(MOST_STEPS)..];
    let left_out = schedule.len() - shown.len();
    let before = if left_out > 0 { format!("…({left_out}) ") } else { String::new() };
    before + &shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &str) -> Vec<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn each_explanation_in_its_words() {
        let used = |order: [&str; 2]| {
            order.map(|process| (process.to_owned(), vec!["reads x = 1".to_owned(), "locks m".to_owned()])).to_vec()
        };
        let comparison = Comparison {
            number: 1,
            first: ("p".to_owned(), 2),
            second: ("r".to_owned(), 1),
            observed: false,
            after: names("q p"),
            explored: names("p r"),
            reversed: names("r p"),
            same: true,
            check: Check::States,
            used: [used(["p", "r"]), used(["r", "p"])],
        };
        let explanations = [
            Explanation::Explored { schedule: names("q p p r r") },
            Explanation::Compared(comparison),
            Explanation::Cut { schedule: names("q p r p"), because: vec![1], asleep: Vec::new() },
            Explanation::Cut {
                schedule: names("r"),
                because: Vec::new(),
                asleep: vec![("q".to_owned(), 0), ("p".to_owned(), 1)],
            },
        ];
        assert_eq!(
            explanation_text(&explanations).paint(false),
            "what was left out, and why (a schedule is written as the processes that step)\n\
             2 cut: 1 race was compared, 1 with the same state in both orders\n\
             explored q p p r r\n   \
             [1] p.2 and r.1, a race after q p: r p leads where p r does\n       \
             p r: p reads x = 1, locks m; r reads x = 1, locks m\n       \
             r p: r reads x = 1, locks m; p reads x = 1, locks m\n\
             cut      q p r p   p is forbidden by [1]\n\
             cut      r   explored before: q from the beginning, p after r\n"
        );
    }

    #[test]
    fn the_end_of_a_long_schedule() {
        let long = vec!["p".to_owned(); MOST_STEPS + 2];
        assert_eq!(steps(&long), format!("…(2) {}", vec!["p"; MOST_STEPS].join(" ")));
    }
}
