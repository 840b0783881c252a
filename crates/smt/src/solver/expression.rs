//! What a solver answers: words and lists, read as they come.

use std::fmt;

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expression {
    /// A word, a number, a text with its quotes.
    Word(String),
    /// A list in brackets.
    List(Vec<Expression>),
}

impl Expression {
    /// Whether it is this word, with or without quotes.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self, Expression::Word(own) if own.trim_matches('"') == word)
    }

    /// The parts of a list.
    pub(super) fn list(&self) -> Option<&[Expression]> {
        match self {
            Expression::List(parts) => Some(parts),
            Expression::Word(_) => None,
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lists are as deep as the reader allows: see `DEEPEST`.
        match self {
            Expression::Word(word) => f.write_str(word),
            Expression::List(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    let space = if index > 0 { " " } else { "" };
                    write!(f, "{space}{part}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Lists nest no deeper than this in answers to what is asked here.
const DEEPEST: usize = 64;

/// So long an answer can be: more is nonsense.
const LONGEST: usize = 1 << 26;

/// Reads answers from text that comes piece by piece.
#[derive(Default, Debug)]
pub(super) struct Reader {
    open: Vec<Vec<Expression>>,
    word: String,
    /// Within quotes, which end with this.
    quote: Option<char>,
    comment: bool,
    length: usize,
}

impl Reader {
    /// Takes one more character; an answer if it is complete with it.
    ///
    /// # Errors
    /// Where this cannot become an answer.
    pub(super) fn read(&mut self, c: char) -> Result<Option<Expression>, String> {
        self.length += 1;
        if self.length > LONGEST {
            return Err("an endless answer".to_owned());
        }
        if self.comment {
            self.comment = c != '\n';
            return Ok(None);
        }
        if let Some(quote) = self.quote {
            self.word.push(c);
            if c != quote {
                return Ok(None);
            }
            self.quote = None;
            return Ok(None);
        }
        match c {
            ';' => {
                self.comment = true;
                Ok(self.end_word())
            }
            '"' | '|' => {
                self.quote = Some(c);
                self.word.push(c);
                Ok(None)
            }
            '(' => {
                let before = self.end_word();
                if self.open.len() >= DEEPEST || before.is_some() {
                    return Err("brackets where there should be none".to_owned());
                }
                self.open.push(Vec::new());
                Ok(None)
            }
            ')' => {
                self.end_word();
                let Some(parts) = self.open.pop() else { return Err(")".to_owned()) };
                Ok(self.complete(Expression::List(parts)))
            }
            c if c.is_whitespace() => Ok(self.end_word()),
            c => {
                self.word.push(c);
                Ok(None)
            }
        }
    }

    fn end_word(&mut self) -> Option<Expression> {
        if self.word.is_empty() {
            return None;
        }
        let word = std::mem::take(&mut self.word);
        self.complete(Expression::Word(word))
    }

    fn complete(&mut self, expression: Expression) -> Option<Expression> {
        match self.open.last_mut() {
            Some(parts) => {
                parts.push(expression);
                None
            }
            None => {
                self.length = 0;
                Some(expression)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let mut reader = Reader::default();
        let mut found = Vec::new();
        for c in text.chars() {
            found.extend(reader.read(c)?.map(|expression| expression.to_string()));
        }
        Ok(found)
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(read("sat\n").unwrap(), ["sat"]);
        assert_eq!(read("((x 5)\n (|a b| (- 3)))\nunsat ").unwrap(), ["((x 5) (|a b| (- 3)))", "unsat"]);
        assert_eq!(read("(error \"a ) b\")\n; so\n").unwrap(), ["(error \"a ) b\")"]);
        assert!(read(")").is_err());
        assert!(read(&"(".repeat(1000)).is_err());
    }
}
