//! What is checked, a rule a file.
