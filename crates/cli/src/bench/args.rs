//! What can be asked of `mazurka bench`.

use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::algorithm::Wanted;

/// `mazurka bench`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// The suite to run; without it, the suites are listed
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Option<String>,

    /// Only rows with this in them, such as "sort" or "lastwrite N=8"
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,

    /// The algorithms, with commas between [default: all that the paper has figures for]
    #[arg(short, long = "algorithm", value_name = "NAMES", value_delimiter = ',', value_parser = crate::algorithm::parse)]
    pub(crate) algorithms: Vec<Wanted>,

    /// For suites of bounded model checking: the reductions, with commas between [default: all that
    /// the paper has figures for]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) por: Vec<crate::bmc::Por>,

    /// Sizes to run instead of the paper's: a number, or values such as "S=5 R=2"; may be repeated
    #[arg(long = "size", value_name = "SIZE", value_parser = super::plan::size)]
    pub(crate) sizes: Vec<super::plan::Size>,

    /// The longest time for each run, in seconds; larger sizes of the same program are then not run
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::values::seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Duration,

    /// Which versions of the programs, by the ending of their files
    #[arg(long, value_name = "ENDING", default_value = "mzk")]
    pub(crate) kind: String,

    /// Print for people (human), or as json, csv or markdown
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    pub(crate) format: Format,

    /// Further options for `mazurka check`, or `mazurka bmc`, for every run
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<String>,
}

/// How to print.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For documents.
    Markdown,
}
