//! Two trees compared.
