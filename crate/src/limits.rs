//! Caps against hostile images: what a real filesystem never needs and a made-up one must not get.

/// Most bytes read from a source in one request.
pub const READ_BYTES: u32 = 4 << 20;

/// Most bytes of a bitmap held in memory: 2³² bits, one bit a block of 16 TiB.
pub const BITMAP_BYTES: u64 = 512 << 20;
