//! Models in the language of herd (`.cat`).
