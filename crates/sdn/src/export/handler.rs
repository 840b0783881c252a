//! The controller in ABS: straight code with jumps becomes blocks again.

use std::fmt::Write as _;

use super::expression::{Words, variable_name};
use crate::hir::{Network, Op, Targets};

/// The class of the controller.
pub(super) fn controller(network: &Network) -> Result<String, String> {
    let mut text = String::new();
    let starts = network.start.is_some();
    if starts {
        text.push_str("interface Starting extends Controller {\n  Unit start(Int id);\n}\n\n");
    }
    let of = if starts { "Starting" } else { "Controller" };
    let _ = writeln!(text, "class Policy() implements {of} {{\n  Map<Int, Switch> switches = EmptyMap;");
    if network.has_barriers() {
        text.push_str("  // Messages that are not acknowledged yet, and the switches with a barrier.\n");
        text.push_str("  Map<Int, List<Fut<Unit>>> pending = EmptyMap;\n  Map<Int, Bool> barriers = EmptyMap;\n");
    }
    for variable in &network.variables {
        let name = variable_name(&variable.name);
        let _ = match variable.keys.len() {
            0 => writeln!(text, "  Int {name} = {};", variable.initial),
            1 => writeln!(text, "  Map<Int, Int> {name} = EmptyMap;"),
            _ => writeln!(text, "  Map<List<Int>, Int> {name} = EmptyMap;"),
        };
    }
    text.push_str("\n  Unit connectSwitch(Int id, Switch s) { switches = put(switches, id, s); }\n\n");
    text.push_str("  Unit controlHandleMessage(Int id, Int port, Buffer b, List<Int> h) {\n");
    if let Some((entry, _)) = network.packet_in {
        text.push_str(&Body::new(network, entry).write("    Int x1 = port;\n")?);
    } else {
        text.push_str("    skip;\n");
    }
    text.push_str("  }\n");
    if let Some((entry, _)) = network.start {
        text.push_str("\n  Unit start(Int id) {\n");
        text.push_str(&Body::new(network, entry).write("    Int x1 = 0;\n")?);
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    Ok(text)
}

/// The body of a handler.
struct Body<'n> {
    network: &'n Network,
    words: Words<'n>,
    entry: usize,
    /// The last return.
    end: usize,
    /// There are returns before the end.
    returns: bool,
}

impl<'n> Body<'n> {
    fn new(network: &'n Network, entry: usize) -> Self {
        let entries = [network.packet_in, network.start].into_iter().flatten().map(|(at, _)| at);
        let end = entries.filter(|&at| at > entry).min().unwrap_or(network.code.len()) - 1;
        let returns = network.code[entry..end].iter().any(|op| matches!(op, Op::Return));
        Body { network, words: Words { network, header: "h" }, entry, end, returns }
    }

    fn write(&self, ports: &str) -> Result<String, String> {
        let code = self.block(self.entry, self.end, 4)?;
        let mut text = format!("    Int x0 = id;\n{ports}");
        for slot in 2..self.network.locals {
            if code.contains(&format!("x{slot} ")) || code.contains(&format!("x{slot},")) {
                let _ = writeln!(text, "    Int x{slot} = 0;");
            }
        }
        if self.returns {
            text.push_str("    Bool goes = True;\n");
        }
        if code.contains("told") {
            text.push_str("    List<Int> told = Nil;\n");
        }
        text.push_str(&code);
        Ok(text)
    }

    /// The instructions of a range, as statements.
    fn block(&self, from: usize, to: usize, indent: usize) -> Result<String, String> {
        let (mut text, mut at) = (String::new(), from);
        let pad = " ".repeat(indent);
        while at < to {
            let begin = at;
            match &self.network.code[at] {
                Op::Unless(condition, target) => {
                    let condition = self.words.truth(condition)?;
                    at = self.branch(&mut text, &condition, [at, *target], indent)?;
                }
                op => {
                    for line in self.statement(op)? {
                        let _ = writeln!(text, "{pad}{line}");
                    }
                    at += 1;
                }
            }
            // Where something returned, what follows is left out.
            if at < to && self.network.code[begin..at].iter().any(|op| matches!(op, Op::Return)) {
                let rest = self.block(at, to, indent + 2)?;
                let _ = write!(text, "{pad}if (goes) {{\n{rest}{pad}}}\n");
                break;
            }
        }
        if text.is_empty() {
            let _ = writeln!(text, "{pad}skip;");
        }
        Ok(text)
    }

    /// A loop or a choice; gives where it ends.
    fn branch(
        &self,
        text: &mut String,
        condition: &str,
        [at, target]: [usize; 2],
        indent: usize,
    ) -> Result<usize, String> {
        let pad = " ".repeat(indent);
        let last = target - 1;
        match self.network.code[last] {
            Op::Jump(back) if back <= at => {
                let body = self.block(at + 1, last, indent + 2)?;
                let returns = self.network.code[at + 1..last].iter().any(|op| matches!(op, Op::Return));
                let condition = if returns { format!("goes && {condition}") } else { condition.to_owned() };
                let _ = write!(text, "{pad}while ({condition}) {{\n{body}{pad}}}\n");
                Ok(target)
            }
            Op::Jump(over) if over > target && last > at => {
                let (then, otherwise) = (self.block(at + 1, last, indent + 2)?, self.block(target, over, indent + 2)?);
                let _ = write!(text, "{pad}if ({condition}) {{\n{then}{pad}}} else {{\n{otherwise}{pad}}}\n");
                Ok(over)
            }
            _ => {
                let then = self.block(at + 1, target, indent + 2)?;
                let _ = write!(text, "{pad}if ({condition}) {{\n{then}{pad}}}\n");
                Ok(target)
            }
        }
    }

    fn statement(&self, op: &Op) -> Result<Vec<String>, String> {
        let words = &self.words;
        Ok(match op {
            Op::Set(slot, value) => vec![format!("x{slot} = {};", words.number(value)?)],
            Op::Store(entry, value) => {
                let name = variable_name(&self.network.variables[entry.variable].name);
                let value = words.number(value)?;
                vec![match entry.keys.is_empty() {
                    true => format!("{name} = {value};"),
                    false => format!("{name} = put({name}, {}, {value});", words.key(entry)?),
                }]
            }
            Op::Erase(entry) => {
                let name = variable_name(&self.network.variables[entry.variable].name);
                vec![format!("{name} = removeKey({name}, {});", words.key(entry)?)]
            }
            Op::Assert(condition, _) => vec![format!("assert {};", words.truth(condition)?)],
            Op::Return => vec!["goes = False;".to_owned()],
            Op::Jump(_) => return Err("this controller jumps in a way that has no counterpart in ABS".to_owned()),
            Op::Unless(..) => Vec::new(),
            Op::Install { switch, priority, matches, action, .. } => {
                let (priority, matches) = (words.number(priority)?, words.matches(matches)?);
                let action = words.action(action)?;
                let call = format!("switchHandleMessage(Key({priority}, {matches}), {action})");
                self.message(&words.number(switch)?, &call)
            }
            Op::Remove { switch, priority, matches, .. } => {
                let matches = words.matches(matches)?;
                let call = match priority {
                    Some(priority) => format!("removeRule(Key({}, {matches}))", words.number(priority)?),
                    None => format!("removeRules({matches})"),
                };
                self.message(&words.number(switch)?, &call)
            }
            Op::PacketOut { switch, action, .. } => {
                let call = match action {
                    Some(action) => format!("packetOut(b, {})", words.action(action)?),
                    None => "sendOut(b)".to_owned(),
                };
                let switch = words.number(switch)?;
                let lines = self.message(&switch, &call);
                if switch == "x0" {
                    return Ok(lines);
                }
                // The packet waits at the switch that asked.
                let mut guarded = vec![format!("if ({switch} == id) {{")];
                guarded.extend(lines.into_iter().map(|line| format!("  {line}")));
                guarded.push("}".to_owned());
                guarded
            }
            Op::Barrier { targets, .. } => self.barrier(targets)?,
        })
    }

    /// A message to a switch; where there are barriers, it waits for them, and its future is kept.
    fn message(&self, switch: &str, call: &str) -> Vec<String> {
        if !self.network.has_barriers() {
            return vec![
                "{".to_owned(),
                format!("  Switch s = lookupUnsafe(switches, {switch});"),
                format!("  s!{call};"),
                "}".to_owned(),
            ];
        }
        let mut lines = vec![
            "{".to_owned(),
            format!("  Int to = {switch};"),
            "  await !isJust(lookup(barriers, to));".to_owned(),
            "  Switch s = lookupUnsafe(switches, to);".to_owned(),
            format!("  Fut<Unit> f = s!{call};"),
            "  pending = put(pending, to, Cons(f, lookupDefault(pending, to, Nil)));".to_owned(),
        ];
        if self.network.code.iter().any(|op| matches!(op, Op::Barrier { targets: Targets::All, .. })) {
            lines.push("  if (!inList(told, to)) { told = Cons(to, told); }".to_owned());
        }
        lines.push("}".to_owned());
        lines
    }

    /// The controller holds back until a switch has done all that it was told.
    fn barrier(&self, targets: &Targets) -> Result<Vec<String>, String> {
        let words = &self.words;
        let (open, close) = match targets {
            Targets::Switch(switch) => (format!("foreach (to in list[{}]) {{", words.number(switch)?), "}"),
            Targets::All => ("foreach (to in told) {".to_owned(), "}"),
            Targets::Path(switch, host) => {
                let (switch, host) = (words.number(switch)?, words.number(host)?);
                let last = format!("pathLength({switch}, {host}) - 1");
                let hops = format!("foreach (at in range(0, {last})) {{ Int to = hop({switch}, {host}, at);");
                (hops, "}")
            }
        };
        let inside = [
            "  await !isJust(lookup(barriers, to));",
            "  barriers = put(barriers, to, True);",
            "  List<Fut<Unit>> waiting = lookupDefault(pending, to, Nil);",
            "  pending = removeKey(pending, to);",
            "  foreach (f in waiting) { await f?; }",
            "  barriers = removeKey(barriers, to);",
        ];
        let lines = std::iter::once(open).chain(inside.map(str::to_owned)).chain([close.to_owned()]);
        Ok(lines.collect())
    }
}
