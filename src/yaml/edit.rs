//! Edits applied to a text: sorted, no overlap, spliced once; nothing else changes by a byte.
