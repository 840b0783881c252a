//! The tokens of the notation.

use logos::{Lexer, Logos};

macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// A token. What is not in the notation but often written (`++`, `return`) is a token too,
        /// so that the parser can say what to write instead.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        #[logos(skip r"[ \t\r\n\f]+")]
        #[logos(skip(r"//[^\n]*", allow_greedy = true))]
        #[logos(skip("/\\*", block_comment))]
        pub(crate) enum Token {
            $($(#[$doc])* #[token($text)] $name,)*
            /// A name.
            #[regex("[A-Za-z_][A-Za-z0-9_]*")]
            Name,
            /// A number, or what begins like one.
            #[regex("[0-9][A-Za-z0-9_]*")]
            Number,
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
                    Token::Name | Token::Number | Token::Unknown | Token::End => None,
                }
            }
        }
    };
}

tokens! {
    Const = "const", Int = "int", Bool = "bool", Mutex = "mutex", Process = "process", Proc = "proc",
    Independent = "independent", When = "when", Finally = "finally",
    Atomic = "atomic", If = "if", Else = "else", While = "while", Lock = "lock", Unlock = "unlock",
    Await = "await", Assume = "assume", Assert = "assert", Spawn = "spawn", Choose = "choose",
    True = "true", False = "false",
    Any = "any",
    For = "for", Return = "return", Break = "break", Continue = "continue",
    LeftParen = "(", RightParen = ")", LeftBrace = "{", RightBrace = "}", LeftBracket = "[", RightBracket = "]",
    Comma = ",", Semicolon = ";", Question = "?", Colon = ":", Assign = "=",
    Equal = "==", NotEqual = "!=", Less = "<", LessEqual = "<=", Greater = ">", GreaterEqual = ">=",
    Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", And = "&&", Or = "||", Not = "!",
    SingleAnd = "&", SingleOr = "|",
    Increment = "++", PlusAssign = "+=", MinusAssign = "-=", StarAssign = "*=", SlashAssign = "/=",
    PercentAssign = "%=",
}

impl Token {
    /// Whether it begins a declaration that cannot stand inside a body: where it does, a `}` is
    /// missing before it.
    pub(crate) fn begins_body(self) -> bool {
        matches!(self, Token::Process | Token::Proc | Token::Independent | Token::Finally)
    }

    /// Whether it begins a declaration.
    pub(crate) fn begins_item(self) -> bool {
        self.begins_body() || matches!(self, Token::Const | Token::Int | Token::Bool | Token::Mutex)
    }

    /// Whether it begins a statement, and can stand nowhere else in one.
    pub(crate) fn begins_statement(self) -> bool {
        matches!(
            self,
            Token::Int
                | Token::Bool
                | Token::Atomic
                | Token::If
                | Token::While
                | Token::Lock
                | Token::Unlock
                | Token::Await
                | Token::Assume
                | Token::Assert
                | Token::Spawn
        )
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
