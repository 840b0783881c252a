//! Every program of the corpus says what is found in it.

use mazurka_testkit::corpus::{self, Expectation};

use crate::shell::{Result, read, relative, root};

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    let files = corpus::files(&root().join("corpus")).map_err(|error| format!("corpus: {error}"))?;
    for file in files {
        let mut complain = |text: String| complaints.push(format!("{}: {text}", relative(&file)));
        match Expectation::parse(&read(&file)?) {
            Err(error) => complain(error),
            Ok(expectation) => {
                for algorithm in expectation.missing() {
                    complain(format!("nothing is said about `{algorithm}`: run `cargo xtask bless`"));
                }
                if corpus::is_to_fail(&file) != Some(!expectation.violations.is_empty()) {
                    complain("the folder does not fit the violations in it".into());
                }
            }
        }
    }
    Ok(())
}
