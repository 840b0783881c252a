//! The tokens of ABS.

use logos::{Lexer, Logos};

macro_rules! tokens {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// A token.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        #[logos(skip r"[ \t\r\n\f]+")]
        #[logos(skip(r"//[^\n]*", allow_greedy = true))]
        #[logos(skip("/\\*", block_comment))]
        pub(crate) enum Token {
            $(#[token($text)] $name,)*
            /// A name of a value: it begins with a small letter.
            #[regex("[a-z_][A-Za-z0-9_]*")]
            Lower,
            /// A name of a type, a constructor or a module: it begins with a capital.
            #[regex("[A-Z][A-Za-z0-9_]*")]
            Upper,
            /// An integer.
            #[regex("[0-9]+")]
            Number,
            /// A number with a decimal point.
            #[regex(r"[0-9]+\.[0-9]+")]
            Float,
            /// A string, with its quotes.
            #[regex(r#""([^"\\\n]|\\.)*""#)]
            String,
            /// A template string.
            #[regex(r"`([^`\\]|\\[\s\S])*`")]
            Template,
            /// What is no token; the lexer has reported it.
            Unknown,
            /// The end of the file.
            End,
        }

        impl Token {
            /// How it is written, if it is always written alike.
            pub(crate) fn text(self) -> Option<&'static str> {
                match self {
                    $(Token::$name => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

tokens! {
    Module = "module", Export = "export", Import = "import", From = "from", Data = "data", Type = "type",
    Def = "def", Interface = "interface", Extends = "extends", Class = "class", Implements = "implements",
    Exception = "exception", Recover = "recover",
    If = "if", Then = "then", Else = "else", When = "when", While = "while", Foreach = "foreach", In = "in",
    Switch = "switch", Case = "case", Try = "try", Catch = "catch", Finally = "finally", Throw = "throw",
    Await = "await", Suspend = "suspend", Skip = "skip", Return = "return", Assert = "assert",
    New = "new", This = "this", Null = "null", Let = "let", As = "as",
    LeftParen = "(", RightParen = ")", LeftBrace = "{", RightBrace = "}", LeftBracket = "[", RightBracket = "]",
    Comma = ",", Semicolon = ";", Question = "?", Colon = ":", Assign = "=", Dot = ".", Arrow = "=>", Bar = "|",
    Equal = "==", NotEqual = "!=", Less = "<", LessEqual = "<=", Greater = ">", GreaterEqual = ">=",
    Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", And = "&&", Or = "||", Not = "!", Tilde = "~",
    Both = "&",
}

impl Token {
    /// Whether it begins a declaration: a place to go on from after an error.
    pub(crate) fn begins_declaration(self) -> bool {
        use Token::{Class, Data, Def, Exception, Export, Import, Interface, Module, Type};
        matches!(self, Module | Export | Import | Data | Type | Def | Interface | Class | Exception)
    }

    /// Whether it is a word that cannot be a name.
    pub(crate) fn is_keyword(self) -> bool {
        self.text().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
    }
}

/// Skips to the end of a comment; one without an end is an error that reaches to the end of the
/// file.
fn block_comment(lexer: &mut Lexer<Token>) -> Result<(), ()> {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            Ok(())
        }
        None => {
            lexer.bump(rest.len());
            Err(())
        }
    }
}
