//! Presets.
