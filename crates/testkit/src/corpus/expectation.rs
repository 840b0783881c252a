//! The lines in a program that say what is to be found.

use std::fmt;

use mazurka_explore::Algorithm;

/// What one algorithm counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Complete executions.
    pub executions: u64,
    /// Explorations that were cut.
    pub blocked: u64,
    /// Executions that an assumption discarded.
    pub assume_blocked: u64,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "executions={}", self.executions)?;
        if self.blocked > 0 {
            write!(f, " blocked={}", self.blocked)?;
        }
        if self.assume_blocked > 0 {
            write!(f, " assume_blocked={}", self.assume_blocked)?;
        }
        Ok(())
    }
}

/// All that the `//~` lines of a program say.
///
/// ```text
/// //~ define: N=3, K=2                   values for constants
/// //~ flags: --leaks -D N=3 -- argument  for C and actors: options as on the command line
/// //~ files: parts/other.c               for C: the program's other files, beside this one
/// //~ skip: none                         too many executions for this algorithm
/// //~ optimal: executions=12             what the algorithm counts; blocked= where not 0
/// //~ violation: assertion in r at 12:3  one line for each violation, in the order of their places
/// //~ violation: deadlock
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectation {
    /// Values for constants.
    pub definitions: Vec<(String, i64)>,
    /// Options of a C program, or of one of actors.
    pub flags: Vec<String>,
    /// The other files of a C program.
    pub files: Vec<String>,
    /// Algorithms that are not run.
    pub skipped: Vec<Algorithm>,
    /// What the others count.
    pub counts: Vec<(Algorithm, Counted)>,
    /// The violations.
    pub violations: Vec<String>,
}

/// What the lines begin with; the second in LLVM assembly.
const MARKS: [&str; 2] = ["//~", ";~"];

/// What a marked line says behind its mark.
fn marked(line: &str) -> Option<&str> {
    MARKS.iter().find_map(|mark| line.trim().strip_prefix(mark))
}

impl Expectation {
    /// Reads the lines of a program.
    ///
    /// # Errors
    /// Names the line that is not understood.
    pub fn parse(source: &str) -> Result<Expectation, String> {
        let mut expectation = Expectation::default();
        for (number, line) in source.lines().enumerate() {
            if let Some(text) = marked(line) {
                expectation.take(text).map_err(|error| format!("line {}: {error}", number + 1))?;
            }
        }
        Ok(expectation)
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        // A name can have a colon: `quasi:optimal: executions=6`.
        let split = text.split_once(": ").or_else(|| text.split_once(':'));
        let (key, value) = split.ok_or("there is no `:` behind the key")?;
        let (key, value) = (key.trim(), value.trim());
        match key {
            "define" => {
                for definition in value.split(',') {
                    self.definitions.push(parse_definition(definition)?);
                }
            }
            "flags" => self.flags.extend(value.split_whitespace().map(str::to_string)),
            "files" => self.files.extend(value.split_whitespace().map(str::to_string)),
            "skip" => {
                for name in value.split(',') {
                    self.skipped.push(name.trim().parse()?);
                }
            }
            "violation" => self.violations.push(value.to_string()),
            _ => {
                let algorithm: Algorithm = key.parse()?;
                if self.said(algorithm).is_some() {
                    return Err(format!("`{key}` stands twice"));
                }
                self.counts.push((algorithm, parse_counted(value)?));
            }
        }
        Ok(())
    }

    /// What an algorithm is to count. Where nothing is said of one that makes use of constraints,
    /// it is what it is without those.
    pub fn counted(&self, algorithm: Algorithm) -> Option<Counted> {
        self.said(algorithm).or_else(|| self.said(algorithm.without_constraints()))
    }

    fn said(&self, algorithm: Algorithm) -> Option<Counted> {
        self.counts.iter().find(|(known, _)| *known == algorithm).map(|&(_, counted)| counted)
    }

    /// The algorithms that are to be run.
    pub fn algorithms(&self) -> impl Iterator<Item = Algorithm> + '_ {
        let skipped = |algorithm: &Algorithm| {
            self.skipped.contains(algorithm) || self.skipped.contains(&algorithm.without_constraints())
        };
        Algorithm::ALL.into_iter().filter(move |algorithm| !skipped(algorithm))
    }

    /// The algorithms about which nothing is said.
    pub fn missing(&self) -> Vec<Algorithm> {
        self.algorithms().filter(|&algorithm| self.counted(algorithm).is_none()).collect()
    }

    /// The program with its lines of counts and violations replaced by these. They stand where the
    /// old ones stood, or behind the other `//~` lines, or behind the comment that the program
    /// begins with.
    pub fn write_into(&self, source: &str) -> String {
        let lines: Vec<&str> = source.lines().collect();
        let outdated = |line: &&str| is_finding(line);
        let mark = MARKS[usize::from(source.starts_with(';'))];
        let comment = mark.trim_end_matches('~');
        let place = lines.iter().position(|line| outdated(&line.trim())).unwrap_or_else(|| {
            let last = lines.iter().rposition(|line| marked(line).is_some());
            last.map_or_else(|| lines.iter().take_while(|line| line.starts_with(comment)).count(), |last| last + 1)
        });
        let mut result: Vec<String> = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            if number == place {
                result.extend(self.finding_lines(mark));
            }
            if !outdated(line) {
                result.push((*line).to_string());
            }
        }
        if place >= lines.len() {
            result.extend(self.finding_lines(mark));
        }
        result.join("\n") + "\n"
    }

    fn finding_lines(&self, mark: &str) -> Vec<String> {
        let implied = |&&(algorithm, counted): &&(Algorithm, Counted)| {
            let weaker = algorithm.without_constraints();
            algorithm != Algorithm::Constrained && weaker != algorithm && self.said(weaker) == Some(counted)
        };
        let counts = self.counts.iter().filter(|line| !implied(line));
        let counts = counts.map(|(algorithm, counted)| format!("{mark} {algorithm}: {counted}"));
        let violations = self.violations.iter().map(|violation| format!("{mark} violation: {violation}"));
        counts.chain(violations).collect()
    }
}

/// Whether a line tells what is found, and not what is asked.
fn is_finding(line: &str) -> bool {
    let key = marked(line).and_then(|text| text.split(':').next()).map(str::trim);
    key.is_some_and(|key| !["define", "flags", "files", "skip"].contains(&key))
}

fn parse_definition(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{}` is not NAME=VALUE", text.trim()))?;
    let value = value.trim().parse().map_err(|_| format!("`{}` is not a number", value.trim()))?;
    Ok((name.trim().to_string(), value))
}

fn parse_counted(text: &str) -> Result<Counted, String> {
    let mut counted = Counted::default();
    for word in text.split_whitespace() {
        let (name, value) = parse_definition(word)?;
        let value = u64::try_from(value).map_err(|_| format!("`{word}` is negative"))?;
        match name.as_str() {
            "executions" => counted.executions = value,
            "blocked" => counted.blocked = value,
            "assume_blocked" => counted.assume_blocked = value,
            _ => return Err(format!("`{name}` is not a count")),
        }
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
// Two writers.
//~ define: N=3, K=-2
//~ none: executions=6
//~ dpor: executions=2 blocked=1 assume_blocked=4
//~ violation: assertion in r at 12:3

int x;
";

    #[test]
    fn lines_are_read() {
        let expectation = Expectation::parse(PROGRAM).expect("they are well-formed");
        assert_eq!(expectation.definitions, [("N".to_string(), 3), ("K".to_string(), -2)]);
        let counted = Counted { executions: 2, blocked: 1, assume_blocked: 4 };
        assert_eq!(expectation.counted(Algorithm::Dpor), Some(counted));
        assert_eq!(expectation.violations, ["assertion in r at 12:3"]);
        assert_eq!(expectation.missing().first(), Some(&Algorithm::Source));
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, complaint) in [
            ("//~ nonesuch: executions=1", "no algorithm `nonesuch`"),
            ("//~ none: executions", "not NAME=VALUE"),
            ("//~ none: speed=1", "not a count"),
            ("//~ none executions=1", "no `:`"),
        ] {
            let error = Expectation::parse(&format!("int x;\n{line}\n")).expect_err(line);
            assert!(error.contains(complaint) && error.starts_with("line 2"), "{error}");
        }
    }

    #[test]
    fn writing_what_was_read_changes_nothing() {
        let expectation = Expectation::parse(PROGRAM).expect("they are well-formed");
        assert_eq!(expectation.write_into(PROGRAM), PROGRAM);
    }

    #[test]
    fn assembly_has_other_comments() {
        let assembly = "; About.\n;~ flags: --leaks -- 3\n;~ none: executions=2\n@x = global i32 0\n";
        let expectation = Expectation::parse(assembly).expect("they are well-formed");
        assert_eq!(expectation.flags, ["--leaks", "--", "3"]);
        assert_eq!(expectation.write_into(assembly), assembly);
    }

    #[test]
    fn new_lines_find_their_place() {
        let expectation = Expectation {
            counts: vec![(Algorithm::None, Counted { executions: 1, ..Counted::default() })],
            ..Expectation::default()
        };
        let line = "//~ none: executions=1\n";
        assert_eq!(expectation.write_into("// About.\n\nint x;\n"), format!("// About.\n{line}\nint x;\n"));
        assert_eq!(expectation.write_into("int x;\n"), format!("{line}int x;\n"));
        let behind = format!("// About.\n//~ skip: dpor\n{line}int x;\n");
        assert_eq!(expectation.write_into("// About.\n//~ skip: dpor\nint x;\n"), behind);
        assert_eq!(expectation.write_into(""), line);
    }
}
