//! Menus.
