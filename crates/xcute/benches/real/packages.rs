//! The packages: where their sources are, how they are built, and how a parser of theirs is called.

/// A library that nobody here wrote.
pub struct Package {
    /// Its source package in Debian.
    pub name: &'static str,
    /// How it is built in the directory of its sources; `$CC` is the compiler.
    pub build: &'static str,
    /// The program in `benches/real` that calls it.
    pub driver: &'static str,
    /// What the program is compiled with, in the same directory.
    pub flags: &'static str,
    /// The one input that both searches begin with.
    pub seed: &'static [u8],
}

pub const PACKAGES: &[Package] = &[
    Package { name: "jsmn", build: "true", driver: "jsmn.c", flags: "-I.", seed: b"{\"a\": [1, true]}" },
    Package {
        name: "cjson",
        build: "make -s CC=\"$CC\" static",
        driver: "cjson.c",
        flags: "-I. libcjson.a -lm",
        seed: b"{\"a\": [1, true]}",
    },
    Package {
        name: "zlib",
        build: "./configure --static && make -s libz.a",
        driver: "zlib.c",
        flags: "-I. libz.a",
        seed: &[0x78, 0x9c, 0x4b, 0x4c, 0x06, 0x00, 0x01, 0x89, 0x00, 0xc5],
    },
    Package {
        name: "libyaml",
        build: "test -x configure || ./bootstrap; ./configure --disable-shared CC=\"$CC\" && make -s -C src",
        driver: "yaml.c",
        flags: "-Iinclude src/.libs/libyaml.a",
        seed: b"a: [1, 'b']\n",
    },
    Package {
        name: "expat",
        build: "cd expat && { test -x configure || ./buildconf.sh; } && ./configure --disable-shared --without-examples --without-tests --without-docbook CC=\"$CC\" && make -s -C lib",
        driver: "expat.c",
        flags: "-Iexpat/lib -Iexpat expat/lib/.libs/libexpat.a",
        seed: b"<a b='c'>d</a>",
    },
];
