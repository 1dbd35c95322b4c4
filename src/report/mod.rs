//! Findings in the form that a reader wants: a format a file.
