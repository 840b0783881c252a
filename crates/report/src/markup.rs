//! What drawings and pages have in common.

/// Characters that mean something in a page, written so that they do not.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
