//! Numbers that are the same on every run of one seed.

/// Xorshift.
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Random {
        // Never nought, from which xorshift does not come away.
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`, which is nought for a limit of nought.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// One of them.
    pub fn one<'i, T: ?Sized>(&mut self, items: &[&'i T]) -> &'i T {
        items[self.below(items.len())]
    }

    /// Whether one in so many comes up.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
