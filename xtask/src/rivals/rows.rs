//! What is compared. A new row is a new line here.

/// One program with constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// The program, from the root of the repository.
    pub(super) program: &'static str,
    /// Values for its constants.
    pub(super) constants: &'static str,
    /// How Mazurka explores it.
    pub(super) algorithm: &'static str,
    /// How many executions Mazurka explores; anything else is an error.
    pub(super) executions: u64,
}

impl Row {
    /// Whether a filter lets it through.
    pub(super) fn matches(&self, filter: Option<&str>) -> bool {
        filter.is_none_or(|word| self.program.contains(word) || self.constants.contains(word))
    }
}

const fn row(program: &'static str, constants: &'static str, executions: u64) -> Row {
    Row { program, constants, algorithm: "optimal", executions }
}

/// What start-up is measured on.
pub(super) const TRIVIAL: Row = row("bench/rivals/trivial.c", "", 1);

/// The rows. Programs whose threads wait in loops are left out: tools cut such loops differently.
pub(super) const ROWS: &[Row] = &[
    row("bench/c/lastwrite.c", "N=8", 40_320),
    row("bench/c/lastwrite.c", "N=9", 362_880),
    row("bench/c/floating-read.c", "N=7", 40_320),
    row("bench/c/floating-read.c", "N=8", 362_880),
    row("bench/c/last-zero.c", "N=10", 3_328),
    row("bench/c/last-zero.c", "N=13", 32_768),
    row("bench/c/readers.c", "N=12", 4_096),
    row("bench/c/readers.c", "N=14", 16_384),
    row("bench/c/indexer.c", "N=12", 8),
    row("bench/c/indexer.c", "N=15", 4_096),
    row("bench/c/local.c", "N=8 STEPS=10", 40_320),
    row("bench/c/dispatcher.c", "R=3", 1_482),
    row("bench/c/dispatcher.c", "R=4", 15_282),
    row("bench/c/producers-consumers.c", "P=3", 2_958),
    row("bench/c/producers-consumers.c", "P=4", 314_064),
    row("bench/c/pi.c", "N=7", 5_040),
    row("bench/c/pi.c", "N=8", 40_320),
    row("bench/c/poked-pool.c", "N=7", 2_440),
    row("bench/c/poked-pool.c", "N=12", 12_940),
    row("bench/suites/jss23/abs.c", "N=5", 14_400),
    row("bench/suites/jss23/abs-dif.c", "N=5", 14_400),
    row("bench/suites/jss23/boundedbuffer.c", "N=8", 12_870),
    row("bench/suites/jss23/floatingread-2phases.c", "N=4", 14_400),
    row("bench/suites/jss23/floatingread-dif.c", "N=7", 40_320),
    row("bench/suites/jss23/lastwrite-2phases.c", "N=4", 13_824),
    row("bench/suites/jss23/lastwrite-dif.c", "N=8", 40_320),
    row("bench/suites/jss23/lastzero.c", "N=13", 32_768),
    row("bench/suites/jss23/pi.c", "N=8", 40_320),
    row("bench/suites/qpor18/disp.c", "S=5 R=4", 15_282),
    row("bench/suites/qpor18/figure-1.c", "K=10", 20),
    row("bench/suites/qpor18/mpat.c", "K=6", 46_080),
    row("bench/suites/qpor18/mpc.c", "P=3 W=5", 2_958),
    row("bench/suites/qpor18/pi.c", "N=8", 40_320),
    row("bench/suites/qpor18/pol.c", "N=12 K=3", 12_940),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    #[test]
    fn programs_are_there_and_rows_differ() {
        for (index, row) in ROWS.iter().chain([&TRIVIAL]).enumerate() {
            assert!(root().join(row.program).is_file(), "{}", row.program);
            let is_same = |other: &Row| (other.program, other.constants) == (row.program, row.constants);
            assert!(!ROWS[..index].iter().any(is_same), "{} {} twice", row.program, row.constants);
        }
    }

    #[test]
    fn filters_look_at_programs_and_constants() {
        let count = |word| ROWS.iter().filter(|row| row.matches(word)).count();
        assert_eq!(count(None), ROWS.len());
        assert_eq!(count(Some("dispatcher")), 2);
        assert_eq!(count(Some("N=15")), 1);
        assert_eq!(count(Some("nothing")), 0);
    }
}
