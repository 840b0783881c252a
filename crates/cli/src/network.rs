//! What networks add to `mazurka check`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mazurka::{Barriers, Checked, NetworkSettings};
use mazurka_report::{Line, Style, Text, counted};

/// What is only for networks.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Networks (.sdn)")]
pub(crate) struct Networks {
    /// What a barrier orders: the messages of the run of the handler that sent it, or, as OpenFlow
    /// says, all messages to the switch. With the first, more can happen. With `futures`, the
    /// controller itself waits for its messages one by one, and the network is run as actors
    /// [default: scoped]
    #[arg(long, value_name = "scoped|exact|futures", value_parser = barriers(), hide_possible_values = true)]
    pub(crate) barriers: Option<Barriers>,
}

/// `scoped`, `exact`
fn barriers() -> impl TypedValueParser<Value = Barriers> {
    let names = PossibleValuesParser::new(["scoped", "exact", "futures"]);
    names.map(|name| match name.as_str() {
        "exact" => Barriers::Exact,
        "futures" => Barriers::Futures,
        _ => Barriers::Scoped,
    })
}

impl Networks {
    /// What the front end is told.
    pub(crate) fn settings(&self) -> NetworkSettings {
        NetworkSettings { barriers: self.barriers.unwrap_or_default() }
    }

    /// The first option that was given, to be named where it has no meaning.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.barriers.map(|_| "--barriers")
    }
}

/// What becomes of each packet, over all executions.
pub(crate) fn fates(checked: &Checked) -> Text {
    /// So many packets are shown.
    const MOST: usize = 20;
    let mut text = Text::default();
    let packets = &checked.ends.packets;
    if packets.is_empty() {
        return text;
    }
    text.gap();
    text.push(Line::new().with(Style::Strong, counted(packets.len() as u64, "packet")));
    for packet in packets.iter().take(MOST) {
        let outcomes = packet
            .outcomes
            .iter()
            .map(|(kind, at, executions)| format!("{kind} at {at} in {}", counted(*executions, "execution")));
        let outcomes: Vec<String> = outcomes.collect();
        text.push(Line::new().with(Style::Plain, format!(" {}: {}", packet.name, outcomes.join("; "))));
    }
    if packets.len() > MOST {
        text.push(Line::new().with(Style::Dim, " …; --format json has all of them"));
    }
    text
}
