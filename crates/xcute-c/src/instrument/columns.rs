//! Columns of debugging information: the column proper, and which of the operations at one place it is ([`super::places`] numbers them).

/// Bits of the column proper; LLVM keeps sixteen in all.
pub(super) const BITS: u32 = 12;

/// The column, and which of the operations there, of a column in debugging information.
pub(crate) fn split(column: u32) -> (u32, u32) {
    // What is longer was not numbered, but may look like it: such a line is not for people.
    (column & ((1 << BITS) - 1), column >> BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_two_numbers() {
        assert_eq!(split(17), (17, 0));
        assert_eq!(split(17 | 3 << BITS), (17, 3));
    }
}
