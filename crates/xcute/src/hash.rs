//! The hash that libFuzzer names files by: SHA-1, after FIPS 180-4.
//!
//! Nothing here is a secret: hashes are names.

/// SHA-1, in hexadecimal digits.
pub fn sha1(bytes: &[u8]) -> String {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0u32];
    for block in blocks(bytes) {
        let mut w = [0; 80];
        w[..16].copy_from_slice(&block);
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (t, word) in w.iter().enumerate() {
            let (f, k) = match t {
                0..20 => ((b & c) | (!b & d), 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6u32),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        add(&mut state, [a, b, c, d, e]);
    }
    hexadecimal(&state)
}

/// The message in blocks of 16 words, with a one bit, zeros and its length behind it.
fn blocks(bytes: &[u8]) -> Vec<[u32; 16]> {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((8 * bytes.len() as u64).to_be_bytes());
    let word = |four: &[u8]| u32::from_be_bytes(four.try_into().expect("four bytes"));
    padded.chunks_exact(64).map(|block| std::array::from_fn(|t| word(&block[4 * t..4 * t + 4]))).collect()
}

fn add<const N: usize>(state: &mut [u32; N], more: [u32; N]) {
    state.iter_mut().zip(more).for_each(|(word, more)| *word = word.wrapping_add(more));
}

fn hexadecimal(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standards_examples() {
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(sha1(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(sha1(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(sha1(long), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    }
}
