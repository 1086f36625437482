//! The terms of one run predict every other run: a constraint that is missing, or wrong for other inputs, is found.
//!
//! Each program computes a word from two inputs and observes its bits one by one. The conditions that the first run records are evaluated
//! on the inputs of the others and must give their bits.

use xcute_trace::SiteKind;

use super::probe::Probe;

const VALUES: [u64; 14] =
    [3, 0, 1, 2, 5, 31, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x8000_0000_0000_0000, 0x1234_5678_9abc_def0];

/// `body` is the body of `u64 f(A a, B b)`.
fn check(types: (&str, &str), headers: &str, body: &str) {
    check_on(types, headers, body, &VALUES);
}

fn check_on((a, b): (&str, &str), headers: &str, body: &str, values: &[u64]) {
    let ty = |t: &str| match t {
        "i1" => "signed char",
        "u1" => "unsigned char",
        "i2" => "short",
        "u2" => "unsigned short",
        "i4" => "int",
        "u4" => "unsigned",
        "i8" => "long",
        "u8" => "unsigned long",
        "f4" => "float",
        "f8" => "double",
        other => panic!("no type {other}"),
    };
    let source = format!(
        "#include <xcute.h>
         #include <string.h>
         #include <stdarg.h>
         #include <stdlib.h>
         typedef unsigned long u64; typedef unsigned u32; typedef unsigned char u8; typedef __int128 i128; typedef unsigned __int128 u128;
         static u64 bits_of_double(double d) {{ u64 u; memcpy(&u, &d, 8); return u; }}
         static u64 bits_of_float(float d) {{ u32 u; memcpy(&u, &d, 4); return u; }}
         volatile int sink;
         {headers}
         static u64 f({} a, {} b) {{ {body} }}
         void xcute_harness(void) {{
           {} a; {} b; xcute_input(a); xcute_input(b);
           u64 r = f(a, b);
           for (int i = 0; i < 64; i++) if (r >> i & 1) sink++;
         }}",
        ty(a),
        ty(b),
        ty(a),
        ty(b)
    );
    let mut probe = Probe::new(&source, &[a, b]);
    let observe =
        probe.compiled.sites.sites.iter().rposition(|s| s.kind == SiteKind::Library && s.function == "xcute_harness").unwrap() as u32;
    probe.passes(&[values[0], values[1]]);
    let first: Vec<_> = probe.decisions().into_iter().filter(|d| d.site == observe).collect();
    assert_eq!(first.len(), 64, "every bit of the result is symbolic: {body}");
    for &x in values {
        for &y in values {
            probe.passes(&[x, y]);
            let now: Vec<_> = probe.decisions().into_iter().filter(|d| d.site == observe).collect();
            let mut evaluator = probe.evaluator();
            for (bit, (then, now)) in first.iter().zip(&now).enumerate() {
                let predicted = evaluator.eval_bool(&probe.terms, then.condition);
                assert_eq!(predicted, now.taken != 0, "bit {bit} of {body} with a = {x:#x}, b = {y:#x}");
            }
        }
    }
}

#[test]
fn integer_operators_of_all_widths() {
    for t in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"] {
        check(
            (t, t),
            "",
            "u64 r = (u64)(a + b) ^ (u64)(a - b) << 7 ^ (u64)(a * b) << 13; r ^= (u64)(a & b) << 3; r += (a | b) ^ ~a; r -= (u64)(-a);
             r ^= (u64)(a << (b & 7)) + (u64)(a >> (b & 7)); r += (u64)(a / (b & 0x77 | 1)) * 3 + (u64)(a % (b & 0x77 | 1)); return r ^ r << 32;",
        );
    }
}

#[test]
fn comparisons() {
    for t in ["i1", "u1", "i4", "u4", "i8", "u8"] {
        check(
            (t, t),
            "",
            "u64 r = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | (!a) << 6; return r * 0x0101010101010101 + a;",
        );
    }
}

#[test]
fn casts_between_widths() {
    check(
        ("i8", "i4"),
        "",
        "return (u64)(signed char)a + (u64)(short)b * 3 + (u64)(unsigned char)b * 5 + (u64)(int)a * 7 + (u32)b + (_Bool)a * 11;",
    );
}

#[test]
fn wide_integers() {
    let body = "i128 p = (i128)a * b + 3; u128 q = (u128)p ^ (u128)a << 70; u64 r = (u64)(q >> 64) + (u64)q; r ^= p < a; r += (u64)(p / 7); return r;";
    check(("i8", "i8"), "", body);
    let memory = "i128 v[2] = {a, b}; i128 *p = v; p[1] += p[0]; return (u64)p[1] ^ (u64)(p[1] >> 64);";
    check(("i8", "i8"), "", memory);
}

#[test]
fn memory_of_all_shapes() {
    let union_body = "union { u64 w; struct { u8 a, b; unsigned short c; u32 d; } s; } u; u.w = a; u.s.b = b; u.s.c += u.s.a; return u.w;";
    check(("u8", "u4"), "", union_body);
    let fields = "struct { u32 x : 3, y : 7; long z : 40; } s = {0}; s.x = a; s.y = b; s.z = a - b; return s.x + s.y * 9 + (u64)s.z;";
    check(("i4", "u4"), "", fields);
    let bytes = "u8 c[16]; memcpy(c, &a, 8); memcpy(c + 8, &b, 8); memmove(c + 3, c, 9); memset(c + 1, (int)b, 2); u64 r; memcpy(&r, c + 2, 8); return r ^ a;";
    check(("u8", "u8"), "", bytes);
    let pointers = "u64 v[4] = {a, b, a ^ b, 1}; u64 *p = v + 1; u64 **q = &p; ++*q; return **q + p[-1] + a;";
    check(("u8", "u8"), "", pointers);
    check(("u8", "u8"), "static u64 g[3]; static u64 *h = &g[1];", "g[0] = a; *h = b; g[2] = g[0] + h[0]; return g[2] ^ b << 8;");
}

#[test]
fn structs_by_value() {
    let headers =
        "struct small { int x; int y; }; struct pair { u64 x; double y; }; struct big { u64 v[5]; }; struct floats { float x, y; };
        static struct small s1(struct small s, int k) { s.x += k; s.y ^= s.x; return s; }
        static struct pair s2(struct pair p) { p.x++; p.y = p.y + 0; return p; }
        static struct big s3(struct big b, u64 k) { b.v[3] += k; b.v[0] ^= b.v[3]; return b; }
        static struct floats s4(struct floats f) { float t = f.x; f.x = f.y; f.y = t; return f; }";
    check(("i4", "i4"), headers, "struct small s = {a, b}; s = s1(s, 3); return (u32)s.x | (u64)(u32)s.y << 32;");
    check(("u8", "u8"), headers, "struct pair p = {a, 1.5}; p = s2(p); return p.x ^ b;");
    check(("u8", "u8"), headers, "struct big g = {{a, b, 1, a ^ b, 7}}; g = s3(g, b); return g.v[0] + g.v[3] + a;");
    check(
        ("u4", "u4"),
        headers,
        "struct floats g; memcpy(&g.x, &a, 4); memcpy(&g.y, &b, 4); g = s4(g); u64 r; memcpy(&r, &g, 8); return r;",
    );
}

#[test]
fn calls() {
    let headers = "static u64 twice(u64 x) { return 2 * x; } static u64 third(u64 x) { return x * 3; }
        static u64 fact(u64 n, u64 acc) { return n == 0 ? acc : fact(n - 1, acc * 3 + n); }
        static u64 sum(int n, ...) { va_list l; va_start(l, n); u64 r = 0; for (int i = 0; i < n; i++) r = r * 31 + va_arg(l, u64); va_end(l); return r; }
        static u64 mixed(const char *f, ...) { va_list l, m; va_start(l, f); va_copy(m, l); u64 r = 0;
          for (const char *p = f; *p; p++) switch (*p) { case 'i': r += va_arg(l, int); break; case 'l': r ^= va_arg(l, u64); break; case 'd': r += bits_of_double(va_arg(l, double)); break; }
          va_end(l); r += va_arg(m, int); va_end(m); return r; }
        struct big { u64 v[3]; };
        static u64 aggregate(int n, ...) { va_list l; va_start(l, n); struct big b = va_arg(l, struct big); u64 k = va_arg(l, u64); va_end(l); return b.v[0] + 3 * b.v[2] + k; }
        static int order(const void *x, const void *y) { u64 a = *(u64 *)x, b = *(u64 *)y; return a < b ? -1 : a > b; }";
    check(("u8", "u8"), headers, "u64 (*t[2])(u64) = {twice, third}; return t[0](a) + t[1](b) * 5;");
    let unseen = "u64 plus(u64 x) { return x + 1; }";
    check(("u8", "u8"), unseen, "u64 (*p)(u64); __asm__(\"mov $plus, %0\" : \"=r\"(p)); return p(a) ^ b;");
    check(("u8", "u8"), headers, "return fact(5, a) ^ b;");
    check(("u8", "u8"), headers, "return sum(9, a, b, a + b, 1ul, b, a, a ^ b, 5ul, b * a);");
    check(
        ("i4", "u8"),
        headers,
        "double d; memcpy(&d, &b, 8);  return mixed(\"ildldldldldldldldldli\", a, b, 1.5, b, d, b, 1., b, 1., b, 1., b, d, b, 1., b, 2., b, d, b, 3., b, d, b, a) + b;",
    );
    check(("u8", "u8"), headers, "struct big g = {{a, 1, b}}; return aggregate(1, g, a ^ b);");
    check(("u8", "u8"), headers, "u64 r = a ^ b; u64 v[3] = {7, 3, 5}; qsort(v, 3, 8, order); return r + v[0];");
}

#[test]
fn control_joins() {
    check(
        ("u4", "u4"),
        "",
        "u64 r = a; for (u32 i = 0; i < 3; i++) { r = r * 5 + b; if (i == 1) r ^= a; else r += 2; } return r | (u64)a << 32;",
    );
    check(
        ("u4", "u4"),
        "",
        "u64 r = 0; int i = 0; again: r = r * 3 + a; if (++i < 4) goto again; static void *t[] = {&&x, &&y}; goto *t[i & 1]; x: return r ^ (u64)b << 32; y: return r;",
    );
}

#[test]
fn intrinsics() {
    let bits = "return __builtin_popcount(a) + 3 * __builtin_popcountl(b) + 7 * (u64)__builtin_clz(a | 1) + 11 * __builtin_ctzl(b | 0x8000000000000000) + __builtin_bswap32(a) + __builtin_bswap64(b) + __builtin_bitreverse32(a);";
    check(("u4", "u8"), "", bits);
    check(
        ("u4", "u8"),
        "",
        "return __builtin_rotateleft32(a, b & 31) + __builtin_rotateright64(b, a) + __builtin_bswap16(a) + __builtin_bitreverse8(b) + __builtin_ffsl(b) + b;",
    );
    for (t, s) in [("i4", "int"), ("i8", "long"), ("u4", "unsigned"), ("u8", "unsigned long")] {
        let body = format!(
            "{s} x, y, z; u64 r = __builtin_add_overflow(a, b, &x); r |= __builtin_sub_overflow(a, b, &y) << 1; r |= __builtin_mul_overflow(a, b, &z) << 2; return r * 0x100000001 + x + 3 * (u64)y + 5 * (u64)z;"
        );
        check((t, t), "", &body);
    }
    check(
        ("i4", "i8"),
        "",
        "return (u64)abs(a) + (u64)labs(b) * 3 + __builtin_elementwise_max(a, (int)b) + __builtin_elementwise_min((u32)a, (u32)b) + (u64)__builtin_elementwise_add_sat(a, (int)b) * 5 + __builtin_elementwise_sub_sat((u32)a, (u32)b) * 7ul + __builtin_elementwise_add_sat((u64)a, (u64)b) + (u64)__builtin_elementwise_sub_sat((long)a, b);",
    );
    check(("u8", "u8"), "", "return __builtin_expect(a > b, 1) + a * 3 + (__builtin_constant_p(b) ? 0 : b);");
}

#[test]
fn atomics_and_vectors_are_plain_code() {
    let atomics = "_Atomic u64 y = b; y += a; u64 x = a ^ y; u64 r = __atomic_fetch_add(&x, b, __ATOMIC_SEQ_CST); r ^= x; u64 e = 3; __atomic_compare_exchange_n(&x, &e, b, 0, 5, 5); r += x + e; x |= a; return r + __atomic_exchange_n(&x, 5, 5);";
    check(("u8", "u8"), "", atomics);
    let vectors = "typedef u32 v4 __attribute__((vector_size(16))); v4 x = {a, b, a ^ b, 3}, y = {b, b, a, a}; x = x * y + (x << 3); u64 r = 0; for (int i = 0; i < 4; i++) r = r * 31 + x[i]; return r;";
    check(("u4", "u4"), "", vectors);
}

const FLOATS: [u64; 12] = [
    0x3ff8_0000_0000_0000,
    0,
    0x8000_0000_0000_0000,
    0x4000_0000_0000_0000,
    0xc00c_cccc_cccc_cccd,
    0x4059_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0x1,
    0x41ef_ffff_ffe0_0000,
    0xc1e0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
];

#[test]
fn doubles() {
    let observe = "#define B(x) (bits_of_double(x) & -(u64)((x) == (x)))\n";
    for body in [
        "return B(a + b) ^ B(a * b) << 1;",
        "return B(a - b) + B(a / b);",
        "return B(-a) ^ (a < b) ^ (a <= b) << 1 ^ (a == b) << 2 ^ (a != b) << 3 ^ (a > b) << 4 ^ (a >= b) << 5 ^ (u64)__builtin_isunordered(a, b) << 6;",
        "return B(__builtin_fabs(a)) + B(__builtin_floor(b)) + B(__builtin_ceil(a)) + B(__builtin_trunc(b)) + B(__builtin_rint(a)) + B(__builtin_round(b)) + B(__builtin_copysign(a, b));",
        "return B(__builtin_sqrt(a)) + B(__builtin_fma(a, b, 1.25)) + B(a * b + 0.5) + B(__builtin_fmin(a, b)) + B(__builtin_fmax(a, b)) + __builtin_isnan(a) + __builtin_isinf(b) * 3 + __builtin_isfinite(b) * 7;",
        "u64 m = -(u64)((a > -1e9) & (a < 1e9)); m &= bits_of_double(a); double c; memcpy(&c, &m, 8); return (u64)(long)c + (u64)(int)(c * 2) + B((double)(float)b) + B((double)(long)c) + B((double)(u32)(__builtin_fabs(c))) + B(b);",
    ] {
        check_on(("f8", "f8"), observe, body, &FLOATS);
    }
    let singles: Vec<u64> = FLOATS.iter().map(|&d| u64::from((f64::from_bits(d) as f32).to_bits())).collect();
    let observe = "#define B(x) (bits_of_float(x) & -(u64)((x) == (x)))\n";
    let body = "u64 r = B(a + b) ^ B(a * b) << 1; r += (u64)B(a / b) << 32; r ^= (u64)B(a - b) << 31; r += a < b; return r + B(a);";
    check_on(("f4", "f4"), observe, body, &singles);
}
