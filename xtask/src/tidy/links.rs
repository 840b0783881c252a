//! Links between Markdown files lead somewhere.

use std::path::Path;

use crate::shell::{Result, files, read, relative};

pub(super) fn check(complaints: &mut Vec<String>) -> Result {
    for file in files("md")? {
        let text = read(&file)?;
        for link in links(&text) {
            if let Some(complaint) = complaint(&file, &link) {
                complaints.push(format!("{}: {complaint}", relative(&file)));
            }
        }
    }
    Ok(())
}

fn complaint(file: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") || link.is_empty() {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() { file.to_path_buf() } else { file.parent()?.join(path) };
    if !target.exists() {
        return Some(format!("the link `{link}` leads nowhere"));
    }
    let is_markdown = target.extension().is_some_and(|extension| extension == "md");
    match anchor {
        Some(anchor) if is_markdown && !anchors(&read(&target).ok()?).iter().any(|known| known == anchor) => {
            Some(format!("the link `{link}` leads to no heading"))
        }
        _ => None,
    }
}

/// The targets of all links outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in outside_fences(text) {
        // Every second piece between backquotes is code.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("");
        for piece in prose.split("](").skip(1) {
            let target = piece.split(')').next().unwrap_or_default();
            found.push(target.split_whitespace().next().unwrap_or_default().to_string());
        }
    }
    found
}

/// The anchors of a file's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = outside_fences(text).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn outside_fences(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        // Four spaces make code too.
        !inside && !fence && !line.starts_with("    ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "See [a](a.md) and [b](b.md#top \"title\").\n```\n[c](c.md)\n```\nCode `[d](d.md)`, [`e`](e.md).\n    q[N](i)";
        assert_eq!(links(text), ["a.md", "b.md#top", "e.md"]);
    }

    #[test]
    fn anchors_are_githubs() {
        assert_eq!(anchors("# The house\n## What's `new`?\ntext"), ["the-house", "whats-new"]);
    }
}
