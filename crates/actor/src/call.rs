//! Programs that begin with a call of a method instead of a main block: `C.m(3, true)`.

use mazurka_source::{Diagnostic, suggest};

use crate::syntax::ast::{Declaration, Expr, ExprKind, Program};

/// The name of the text of a call, for messages.
pub(crate) const NAME: &str = "--call";

/// A call, taken apart.
pub(crate) struct Call<'c> {
    class: &'c str,
    /// What the object is made with.
    fields: &'c str,
    /// The method and its arguments.
    method: &'c str,
}

impl<'c> Call<'c> {
    /// Takes `C.m(…)` or `C(…).m(…)` apart.
    pub(crate) fn new(text: &'c str) -> Result<Self, Vec<Diagnostic>> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let text = text.trim().trim_end_matches(';').trim_end();
        let class = &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())];
        let rest = text[class.len()..].trim_start();
        let (fields, rest) = match rest.starts_with('(') {
            true => in_parentheses(rest).ok_or_else(misshapen)?,
            false => ("", rest),
        };
        let method = rest.strip_prefix('.').map(str::trim_start).ok_or_else(misshapen)?;
        let name = &method[..method.find(|c| !is_name(c)).unwrap_or(method.len())];
        let (_, after) = in_parentheses(method[name.len()..].trim_start()).ok_or_else(misshapen)?;
        let is_right = class.starts_with(char::is_uppercase) && name.starts_with(char::is_lowercase);
        if is_right && after.is_empty() { Ok(Self { class, fields, method }) } else { Err(misshapen()) }
    }

    /// Lets the last module, which is that of the call, give its main block to the module that
    /// declares the class. No other main block is left.
    pub(crate) fn replace_main(&self, program: &mut Program<'_>) -> Result<(), Vec<Diagnostic>> {
        let Some(call) = program.modules.pop() else { return Ok(()) };
        let at = self.module(program)?;
        for module in &mut program.modules {
            module.main = None;
        }
        program.modules[at].main = call.main;
        program.modules[at].main_place = call.main_place;
        // The object has a group of its own: older programs say so.
        let is_cog = |expr: &Expr<'_>| matches!(expr.kind, ExprKind::New { cog: true, .. });
        let says_cog = program.exprs.iter().any(is_cog);
        let made = program.exprs.iter_mut().rev().find_map(|expr| match &mut expr.kind {
            ExprKind::New { cog, .. } => Some(cog),
            _ => None,
        });
        if let Some(cog) = made {
            *cog = says_cog;
        }
        Ok(())
    }

    /// The module that declares the class.
    fn module(&self, program: &Program<'_>) -> Result<usize, Vec<Diagnostic>> {
        let classes = || {
            let modules = program.modules.iter().enumerate().skip(1);
            let declared = modules.flat_map(|(at, module)| module.declarations.iter().map(move |one| (at, one)));
            declared.filter_map(|(at, one)| match one {
                Declaration::Class(class) => Some((at, class.name.text)),
                _ => None,
            })
        };
        classes().find(|(_, name)| *name == self.class).map(|(at, _)| at).ok_or_else(|| {
            let problem = Diagnostic::general(format!("there is no class `{}` to begin with", self.class));
            refused(problem.maybe_help(suggest(self.class, classes().map(|(_, name)| name))))
        })
    }

    /// A module with a main block that makes the object and calls the method.
    pub(crate) fn text(&self) -> String {
        let (class, fields, method) = (self.class, truth(self.fields), truth(self.method));
        format!("module Call; {{ new {class}({fields})!{method}; }}")
    }
}

fn misshapen() -> Vec<Diagnostic> {
    let help = "`--call 'C.m(3, true)'`; an object with parameters is made as in `--call 'C(1, 2).m(3, true)'`";
    refused(Diagnostic::general("expected a call of a method of a class").help(help))
}

fn refused(problem: Diagnostic) -> Vec<Diagnostic> {
    vec![Diagnostic { file: NAME.to_owned(), ..problem }]
}

/// What stands in the parentheses that a text begins with, and what follows them.
fn in_parentheses(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((&text[1..at], text[at + 1..].trim_start()));
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Writes truth values as the language does: `True` for `true`. What is quoted stays as it is.
fn truth(text: &str) -> String {
    let (mut written, mut word) = (String::with_capacity(text.len()), String::new());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars().map(Some).chain([None]) {
        if let Some(c) = c.filter(|&c| !in_string && (c.is_alphanumeric() || c == '_')) {
            word.push(c);
            continue;
        }
        written.push_str(match word.as_str() {
            "true" => "True",
            "false" => "False",
            other => other,
        });
        word.clear();
        written.extend(c);
        in_string ^= c == Some('"') && !escaped;
        escaped = c == Some('\\') && in_string && !escaped;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(call: &str) -> Option<String> {
        Call::new(call).ok().map(|call| call.text())
    }

    #[test]
    fn calls_are_taken_apart() {
        let made = |inner: &str| Some(format!("module Call; {{ {inner}; }}"));
        assert_eq!(text("C.m(3, true)"), made("new C()!m(3, True)"));
        assert_eq!(text(" C(1, Pair(2, false)) . m(\"true)\")"), made("new C(1, Pair(2, False))!m(\"true)\")"));
        assert_eq!(text("C.m();"), made("new C()!m()"));
        let quoted = r#"C.m("a\"true\\", true)"#;
        assert_eq!(text(quoted), made(r#"new C()!m("a\"true\\", True)"#));
        for wrong in ["", "C", "C.m", "C.m(", "C.m)", "c.m()", "C.M()", "C.m() }", "C(.m()", "C().m() + 1", "C.m(1))"] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
    }
}
