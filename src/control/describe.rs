//! A control as a sentence.

use super::Control;

/// An English sentence that says what the control means.
#[must_use]
pub fn sentence(control: &Control) -> String {
    control.to_string()
}
