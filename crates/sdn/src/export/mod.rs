//! A network as a program in ABS, for the module `Mazurka.Sdn.Tables`.
//!
//! The other way to run a network: hosts, switches and the controller are actors, and the flow
//! table is a map. Without barriers it has the same executions as the flat machine (by entry), and
//! the same packets come to the same ends. Barriers are those of the paper's Figure 7: the
//! controller keeps the futures of its messages, and holds back itself. That allows less than
//! barriers of one run of a handler, and awaiting futures one by one tells more orders apart.

mod expression;
mod handler;

use std::fmt::Write as _;

use crate::hir::{Action, Ex, FieldValue, Kind, Match, Network, Op, Peer, Property};
use expression::Words;

/// Words that mean something else in ABS, or in the program that is written.
const RESERVED: &[&str] = &[
    "adds",
    "after",
    "assert",
    "await",
    "barriers",
    "builtin",
    "case",
    "catch",
    "class",
    "core",
    "critical",
    "data",
    "def",
    "delta",
    "die",
    "duration",
    "else",
    "exception",
    "export",
    "extends",
    "features",
    "finally",
    "foreach",
    "from",
    "get",
    "goes",
    "group",
    "hasAttribute",
    "if",
    "implements",
    "import",
    "in",
    "interface",
    "let",
    "local",
    "log",
    "modifies",
    "module",
    "movecogto",
    "new",
    "null",
    "original",
    "pending",
    "product",
    "return",
    "root",
    "skip",
    "stateupdate",
    "suspend",
    "switch",
    "switches",
    "then",
    "this",
    "throw",
    "told",
    "try",
    "type",
    "unique",
    "uses",
    "when",
    "while",
    "with",
];

/// A priority with, for each field and the port, whether a rule says something of it.
type Shape = (i64, Vec<bool>);

impl Network {
    /// The network as a program in ABS.
    ///
    /// # Errors
    /// What has no counterpart there.
    pub fn to_abs(&self) -> Result<String, String> {
        self.can_be_exported()?;
        let shapes = self.shapes()?;
        let controller = handler::controller(self)?;
        let mut hosts = String::new();
        let watched = self.watched_host(&mut hosts)?;
        let main = self.main_block(&shapes, watched);
        let body = format!("{hosts}{controller}\n{main}");
        let mut text = self.head();
        text.push_str(&self.functions(&body));
        text.push_str(&body);
        Ok(text)
    }

    /// The texts of the properties that the program in ABS does not look for.
    pub fn unsaid_in_abs(&self) -> Vec<&str> {
        self.properties.iter().filter_map(|one| self.unsaid(one)).collect()
    }

    fn can_be_exported(&self) -> Result<(), String> {
        let says = |words: &str| Err(format!("{words} has no counterpart in ABS"));
        if self.overlaps_chosen {
            return says("`overlap choose`");
        }
        if self.sent.iter().any(|sent| sent.fields.iter().any(|field| matches!(field, FieldValue::Any(..)))) {
            return says("a field that is `any`");
        }
        if !self.stages.is_empty() {
            return says("`then`, between packets,");
        }
        Ok(())
    }

    /// The shapes of all rules that there can be, highest priority first.
    fn shapes(&self) -> Result<Vec<Shape>, String> {
        let mask = |matches: &Match| matches.iter().map(Option::is_some).collect::<Vec<bool>>();
        let mut shapes: Vec<Shape> = self.rules.iter().map(|(_, priority, of, _)| (*priority, mask(of))).collect();
        for op in &self.code {
            let (priority, matches, site) = match op {
                Op::Install { priority, matches, site, .. } => (priority, matches, site),
                Op::Remove { priority: Some(priority), matches, site, .. } => (priority, matches, site),
                _ => continue,
            };
            let priority = crate::eval::value_of(priority, &mut crate::eval::Nothing).map_err(|_| {
                let (line, _) = self.lines.line_column(self.sites[*site as usize].start);
                format!("the priority in line {line} is computed, which has no counterpart in ABS")
            })?;
            shapes.push((priority, matches.iter().map(Option::is_some).collect()));
        }
        shapes.sort_by(|(one, said), (other, also)| other.cmp(one).then_with(|| said.cmp(also)));
        shapes.dedup();
        Ok(shapes)
    }

    fn head(&self) -> String {
        let legend = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(", ");
        let numbered = |(number, name): (usize, &String)| format!("{number} {name}");
        let switches: Vec<String> = self.switches.iter().map(|switch| switch.name.clone()).collect();
        let hosts: Vec<String> = self.hosts.iter().map(|host| host.name.clone()).collect();
        let fields = self.fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(", ");
        let mut lines = vec![
            format!("Switches: {}.", legend(&mut switches.iter().enumerate().map(numbered))),
            format!("Hosts: {}.", legend(&mut hosts.iter().enumerate().map(numbered))),
            format!("Fields of headers: {fields}; of matches, the port as well."),
        ];
        for (number, list) in self.values.iter().enumerate() {
            let of: Vec<&str> = self
                .fields
                .iter()
                .filter(|(_, of)| *of == crate::hir::Ty::Named(number))
                .map(|(name, _)| &**name)
                .collect();
            lines.push(format!("Values of {}: {}.", of.join(", "), legend(&mut list.iter().enumerate().map(numbered))));
        }
        let unsaid = self.unsaid_in_abs();
        if !unsaid.is_empty() {
            lines.push(format!("Not looked for here: {}.", unsaid.join("; ")));
        }
        let mut text = String::new();
        for line in lines {
            let mut written = String::from("//");
            for word in line.split_whitespace() {
                if written.len() + word.len() > 96 {
                    let _ = writeln!(text, "{written}");
                    written = String::from("//");
                }
                written.push(' ');
                written.push_str(word);
            }
            let _ = writeln!(text, "{written}");
        }
        text + "module Network;\nimport * from Mazurka.Sdn.Tables;\n\n"
    }

    /// The text of a property that the program in ABS does not look for.
    fn unsaid(&self, property: &Property) -> Option<&str> {
        let said = match &property.kind {
            Kind::NoLoop | Kind::NoRevisit | Kind::NoBlackhole | Kind::ConsistentTables => true,
            Kind::NeverDeliver(_, when) => when.as_ref().is_none_or(looks_at_header),
            _ => false,
        };
        let span = self.sites[property.site as usize];
        (!said).then(|| self.source.get(span.start as usize..span.end as usize)).flatten()
    }

    /// A class for hosts that look at what comes, if a property requests it.
    fn watched_host(&self, text: &mut String) -> Result<bool, String> {
        let mut conditions = Vec::new();
        for property in &self.properties {
            let Kind::NeverDeliver(hosts, when) = &property.kind else { continue };
            if when.as_ref().is_some_and(|when| !looks_at_header(when)) {
                continue;
            }
            let among: Vec<String> =
                (0..hosts.len()).filter(|&host| hosts[host]).map(|host| format!("id == {host}")).collect();
            let among =
                if among.len() == hosts.len() { "True".to_owned() } else { format!("({})", among.join(" || ")) };
            let words = Words { network: self, header: "header(p)" };
            let when = when.as_ref().map_or(Ok("True".to_owned()), |when| words.truth(when))?;
            conditions.push(format!("    assert !({among} && {when});\n"));
        }
        if conditions.is_empty() {
            return Ok(false);
        }
        let _ = write!(
            text,
            "// What must not be delivered.\n\
             class WatchedHost(String label, Int id, Switch s, Int port) implements Host {{\n  \
               Map<String, String> fates = EmptyMap;\n\n  \
               Unit sendIn(Packet p) {{ s!switchHandlePacket(p, port); }}\n  \
               Unit hostHandlePacket(Packet p) {{\n    \
                 fates = put(fates, name(p), \"delivered at \" + label);\n{}  }}\n}}\n\n",
            conditions.concat()
        );
        Ok(true)
    }

    /// The functions about the topology that are used.
    fn functions(&self, body: &str) -> String {
        let mut text = String::new();
        let pairs = |value: &dyn Fn(usize, usize) -> Option<i64>| {
            let mut entries = Vec::new();
            for switch in 0..self.switches.len() {
                for host in 0..self.hosts.len() {
                    entries.extend(value(switch, host).map(|value| format!("Pair(Pair({switch}, {host}), {value})")));
                }
            }
            wrapped("map[", &entries, "]")
        };
        let uses = |name: &str| body.contains(name);
        if uses("towards(") || uses("pathLength(") {
            let ways = pairs(&|switch, host| self.towards[switch][host]);
            let _ = write!(
                text,
                "// By switch and host: the port that leads there.\ndef Map<Pair<Int, Int>, Int> ways() =\n  {ways};\n\n\
                 def Int towards(Int id, Int host) = lookupUnsafe(ways(), Pair(id, host));\n\n"
            );
        }
        if uses("hop(") || uses("pathLength(") {
            let next = pairs(&|switch, host| self.next_switch(switch, host).map(|next| next as i64));
            let _ = write!(
                text,
                "// By switch and host: the next switch on the way.\ndef Map<Pair<Int, Int>, Int> onwards() =\n  {next};\n\n"
            );
        }
        if uses("hop(") {
            text.push_str(
                "def Int hop(Int id, Int host, Int count) =\n  \
                   if count <= 0 then id else hop(lookupDefault(onwards(), Pair(id, host), id), host, count - 1);\n\n",
            );
        }
        if uses("pathLength(") {
            text.push_str(
                "def Int pathLength(Int id, Int host) =\n  \
                   if towards(id, host) < 0 then 0 else case lookup(onwards(), Pair(id, host)) {\n    \
                     Just(further) => 1 + pathLength(further, host);\n    Nothing => 1;\n  };\n\n",
            );
        }
        let lists: [(&str, &dyn Fn() -> Vec<String>); 4] = [
            ("switchOf", &|| self.hosts.iter().map(|host| host.switch.to_string()).collect()),
            ("portOf", &|| self.hosts.iter().map(|host| host.port.to_string()).collect()),
            ("hostIndex", &|| self.hosts.iter().map(|host| host.index.to_string()).collect()),
            ("switchIndex", &|| self.switches.iter().map(|switch| switch.index.to_string()).collect()),
        ];
        for (name, values) in lists {
            if uses(&format!("{name}(")) {
                let _ = write!(text, "def Int {name}(Int id) =\n  nth({}, id);\n\n", wrapped("list[", &values(), "]"));
            }
        }
        if uses("within(") {
            text.push_str(
                "def Int within(Int n, Int low, Int high) =\n  \
                   if low <= n && n <= high then n else fromJust(Nothing);\n\n",
            );
        }
        text
    }

    fn main_block(&self, shapes: &[Shape], watched: bool) -> String {
        let of = if self.start.is_some() { "Starting" } else { "Controller" };
        let mut text = format!("{{\n  {of} c = new Policy();\n");
        let shapes: Vec<String> = shapes
            .iter()
            .map(|(priority, said)| {
                let said: Vec<&str> = said.iter().map(|&said| if said { "True" } else { "False" }).collect();
                format!("Shape({priority}, list[{}])", said.join(", "))
            })
            .collect();
        let _ = writeln!(text, "  List<Shape> shapes = {};", wrapped("list[", &shapes, "]"));
        let truth = |holds: bool| if holds { "True" } else { "False" };
        let checks = |wanted: fn(&Kind) -> bool| truth(self.properties.iter().any(|one| wanted(&one.kind)));
        let tables = checks(|one| matches!(one, Kind::ConsistentTables));
        let (revisits, losses) =
            (checks(|one| matches!(one, Kind::NoRevisit)), checks(|one| matches!(one, Kind::NoBlackhole)));
        for (number, switch) in self.switches.iter().enumerate() {
            let dropped = truth(self.misses_dropped);
            let _ = writeln!(
                text,
                "  Switch s{number} = new SwitchC({:?}, {number}, c, shapes, {dropped}, {revisits}, {losses}, {tables});\n  \
                 await c!connectSwitch({number}, s{number});",
                switch.name
            );
        }
        for (number, host) in self.hosts.iter().enumerate() {
            let class = match watched {
                true => format!("WatchedHost({:?}, {number}, ", host.name),
                false => format!("HostC({:?}, ", host.name),
            };
            let _ = writeln!(text, "  Host h{number} = new {class}s{}, {});", host.switch, host.port);
        }
        for (number, switch) in self.switches.iter().enumerate() {
            for (port, peer) in &switch.ports {
                let peer = match peer {
                    Peer::Host(host) => format!("HostPeer(h{host})"),
                    Peer::Switch(other, port) => format!("SwitchPeer(s{other}, {port})"),
                };
                let _ = writeln!(text, "  await s{number}!connect({port}, {peer});");
            }
        }
        for (switch, priority, matches, action) in &self.rules {
            let fields: Vec<String> =
                matches.iter().map(|value| value.map_or("Any".to_owned(), |value| format!("Is({value})"))).collect();
            let fields = fields.join(", ");
            let action = show_action(action);
            let _ = writeln!(text, "  await s{switch}!switchHandleMessage(Key({priority}, list[{fields}]), {action});");
        }
        if self.start.is_some() {
            for number in 0..self.switches.len() {
                let _ = writeln!(text, "  c!start({number});");
            }
        }
        for (number, sent) in self.sent.iter().enumerate() {
            let values = sent.fields.iter().map(|field| match field {
                FieldValue::Fixed(value) | FieldValue::Any(value, _) => value.to_string(),
            });
            let values: Vec<String> = values.collect();
            let values = values.join(", ");
            let _ = writeln!(text, "  h{}!sendIn(Packet(\"{number}\", list[{values}], Nil, 0));", sent.host);
        }
        text + "}\n"
    }
}

fn show_action(action: &Action) -> String {
    match action {
        Action::Drop => "Drop".to_owned(),
        Action::Flood => "Flood".to_owned(),
        Action::Controller => "ToController".to_owned(),
        Action::Out(ports) => {
            let ports: Vec<String> = ports.iter().map(i64::to_string).collect();
            format!("Out(list[{}])", ports.join(", "))
        }
    }
}

/// A list over several lines.
fn wrapped(open: &str, items: &[String], close: &str) -> String {
    let mut text = open.to_owned();
    let mut width = text.len();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push(',');
            if width + item.len() > 85 {
                text.push_str("\n    ");
                width = 4;
            } else {
                text.push(' ');
            }
        }
        text.push_str(item);
        width += item.len() + 2;
    }
    text + close
}

/// Whether a condition looks at nothing but the packet's header.
fn looks_at_header(ex: &Ex) -> bool {
    match ex {
        Ex::Get(_) | Ex::Has(_) | Ex::Local(_) | Ex::HopSwitch(_) => false,
        Ex::Const(_) | Ex::Field(_) => true,
        Ex::Unary(_, inner, _) | Ex::Within(inner, ..) | Ex::Element(_, _, inner, _) => looks_at_header(inner),
        Ex::SwitchOf(inner) | Ex::PortOf(inner) | Ex::HostIndex(inner) | Ex::SwitchIndex(inner) => {
            looks_at_header(inner)
        }
        Ex::Binary(_, sides, _) | Ex::Towards(sides, _) | Ex::PathLength(sides, _) => sides.iter().all(looks_at_header),
        Ex::Conditional(parts) => parts.iter().all(looks_at_header),
    }
}
