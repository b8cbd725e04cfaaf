//! What the tests across the whole share.
