//! Reading and writing time controls as text.
