//! Styled text, and its painting with terminal colours.

/// How a stretch of text is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Of less importance: rules, numbers, hints.
    Dim,
    /// The name of a column, a heading.
    Strong,
    /// What a step did.
    Effect,
    /// A preemption.
    Preemption,
    /// A failure.
    Bad,
    /// A proof.
    Good,
    /// Neither the one nor the other.
    Open,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Dim => "2",
            Style::Strong => "1",
            Style::Effect => "36",
            Style::Preemption | Style::Open => "1;33",
            Style::Bad => "1;31",
            Style::Good => "1;32",
        }
    }
}

/// One line: stretches of text, each with its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Style, String)>);

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a stretch of text.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        self.0.push((style, text.into()));
    }

    /// With a stretch of text added.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text);
        self
    }

    /// The number of characters.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Adds spaces up to this width.
    pub(crate) fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.width());
        if missing > 0 {
            self.push(Style::Plain, " ".repeat(missing));
        }
    }

    /// Adds another line's text.
    pub(crate) fn append(&mut self, other: Line) {
        self.0.extend(other.0);
    }

    /// The text, with colours for a terminal if wanted; no white space at the end.
    pub fn paint(&self, colour: bool) -> String {
        let mut painted = String::new();
        let mut rest = self.0.iter().map(|(_, text)| text.as_str()).collect::<String>().trim_end().len();
        for (style, text) in &self.0 {
            let text = &text[..text.len().min(rest)];
            rest -= text.len();
            if !colour || style.code().is_empty() || text.trim().is_empty() {
                painted.push_str(text);
            } else {
                painted.push_str(&format!("\x1b[{}m{text}\x1b[0m", style.code()));
            }
        }
        painted
    }
}

/// Lines, one below the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Line>);

impl Text {
    /// Adds a line.
    pub fn push(&mut self, line: Line) {
        self.0.push(line);
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.push(Line::new());
    }

    /// Adds another text below.
    pub fn append(&mut self, other: Text) {
        self.0.extend(other.0);
    }

    /// The text, with colours for a terminal if wanted; each line ends with a line feed.
    pub fn paint(&self, colour: bool) -> String {
        self.0.iter().map(|line| line.paint(colour) + "\n").collect()
    }
}

/// A space where no line is broken.
const SOLID_SPACE: char = '\u{a0}';

/// A text that is not broken at its spaces, unless it does not fit a line.
pub(crate) fn solid(text: &str) -> String {
    text.replace(' ', &SOLID_SPACE.to_string())
}

/// Breaks a text into lines of at most `width` characters, at spaces where there are some.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        let used = line.chars().count();
        if used > 0 && used + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else if used == 0 && word.chars().count() <= width {
            line.push_str(word);
        } else {
            let letters: Vec<char> = word.chars().collect();
            if used == 0 {
                lines.pop();
            }
            lines.extend(letters.chunks(width).map(|piece| piece.iter().collect()));
        }
    }
    lines.into_iter().map(|line| line.replace(SOLID_SPACE, " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(wrap("x = x + 1", 20), ["x = x + 1"]);
        assert_eq!(wrap("x = x + 1", 5), ["x = x", "+ 1"]);
        assert_eq!(wrap("verylongname = 1", 6), ["verylo", "ngname", "= 1"]);
        assert_eq!(wrap("", 6), [""]);
        assert_eq!(wrap(&format!("reads {}", solid("x = 1")), 8), ["reads", "x = 1"]);
    }

    #[test]
    fn colours_are_painted_only_when_wanted() {
        let line = Line::new().with(Style::Bad, "no").with(Style::Plain, " way  ");
        assert_eq!(line.paint(false), "no way");
        assert_eq!(line.paint(true), "\x1b[1;31mno\x1b[0m way");
    }
}
