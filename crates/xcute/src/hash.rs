//! The hashes that other tools name files by: SHA-1 (libFuzzer's corpora) and SHA-256 (Test-Comp), after FIPS 180-4.
//!
//! Nothing here is a secret: they are names.

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

/// SHA-256, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let k = fractions(3, 64);
    let mut state: [u32; 8] = fractions(2, 8).try_into().expect("eight words");
    for block in blocks(bytes) {
        let mut w = [0u32; 64];
        w[..16].copy_from_slice(&block);
        for t in 16..64 {
            let low = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
            let high = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
            w[t] = w[t - 16].wrapping_add(low).wrapping_add(w[t - 7]).wrapping_add(high);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (k, word) in k.iter().zip(w) {
            let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let one = h.wrapping_add(sum).wrapping_add((e & f) ^ (!e & g)).wrapping_add(*k).wrapping_add(word);
            let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let two = sum.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
        }
        add(&mut state, [a, b, c, d, e, f, g, h]);
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

/// The first 32 bits of the fractional parts of the square (2) or cube (3) roots of the first primes.
fn fractions(root: u32, count: usize) -> Vec<u32> {
    let prime = |n: &u128| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let fraction = |n: u128| {
        // The largest x with x^root <= n * 2^(32 * root): the root with 32 bits behind the point.
        let (mut x, mut bit) = (0u128, 1u128 << 36);
        while bit > 0 {
            if (x + bit).pow(root) <= n << (32 * root) {
                x += bit;
            }
            bit >>= 1;
        }
        (x & 0xffff_ffff) as u32
    };
    (2..).filter(prime).take(count).map(fraction).collect()
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
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        assert_eq!(sha256(&[b'a'; 119]), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
    }
}
