//! Random programs with assertions, in several populations: each reaches faults that are invisible to the others.

use crate::syntax::{Source, parse};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A bit of everything, bounded loops included.
    General,
    /// Counters, bounded reads, calls.
    Counters,
    /// Indices and pointers that differ from path to path.
    Addresses,
    /// Loops that only the bound ends.
    Loops,
    /// Code that is not followed.
    Foreign,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::General, Kind::Counters, Kind::Addresses, Kind::Loops, Kind::Foreign];
}

pub struct Generator {
    random: fastrand::Rng,
    kind: Kind,
    loops: usize,
}

impl Generator {
    pub fn new(kind: Kind, seed: u64) -> Generator {
        Generator { random: fastrand::Rng::with_seed(seed), kind, loops: 0 }
    }

    /// A program and its text.
    pub fn program(&mut self) -> (Source, String) {
        self.loops = 0;
        let outside = format!(
            "int g, h; int f(int u){{ {} return {}; }} int w(int u){{ if(u>{}) g=g+1; return f(u); }}",
            self.callee(),
            self.of(&["u", "g", "0", "u+1"]),
            self.random.i32(-1..3)
        );
        let count = self.random.usize(3..6);
        let body: String = (0..count).map(|_| self.statement(2)).collect();
        let end = self.assertion();
        let setup = if self.kind == Kind::Addresses { "a[0]=0; a[1]=7; a[2]=3; int *p=&g; if(read()) i=1;" } else { "int *p=&h;" };
        let main = format!("int a[3]; int x=0, y=1, s=0, i=0; {setup} {body} {end}");
        (parse(&outside, &main), format!("{outside}\nmain: {main}"))
    }

    fn of(&mut self, options: &[&str]) -> String {
        options[self.random.usize(..options.len())].to_owned()
    }

    fn callee(&mut self) -> String {
        let n = self.random.i32(-1..3);
        match self.random.u8(..4) {
            0 => format!("if(u>{n}) return 1;"),
            1 => format!("if(u=={n}) g=g+1;"),
            2 => format!("if(g>{n}) return 2; else g=g+u;"),
            _ => "h=h+1;".to_owned(),
        }
    }

    fn assertion(&mut self) -> String {
        let n = self.random.i32(0..6);
        match (self.kind, self.random.u8(..6)) {
            (Kind::Addresses, 0 | 1) => format!("if(a[i]>{n}) {{ if(read()=={n}) bug(); }}"),
            (Kind::Addresses, 2 | 3) => format!("x=a[i]; if(x>{n}) {{ if(read()=={n}) bug(); }}"),
            (_, 0 | 1) => format!("if(s>{n}) bug();"),
            (_, 2) => format!("if(s+x>{n}) bug();"),
            (_, 3) => format!("if(g=={n}) bug();"),
            (_, 4) => format!("if(x=={n}) {{ if(read()==3) bug(); }}"),
            _ => format!("if(*p>{n}) bug();"),
        }
    }

    fn condition(&mut self) -> String {
        let n = self.random.i32(-1..5);
        let m = self.random.i32(0..3);
        match self.random.u8(..10) {
            0..4 => "read()".to_owned(),
            4 => format!("read()>{n}"),
            5 => format!("x>{n}"),
            6 => format!("s=={n}"),
            7 => format!("y!={n}"),
            8 if self.kind == Kind::Addresses => "a[i]>5".to_owned(),
            8 => format!("x<y+{m}"),
            _ => format!("g+h>{n}"),
        }
    }

    fn simple(&mut self) -> String {
        let n = self.random.i32(0..4);
        let addresses = self.kind == Kind::Addresses;
        if self.kind == Kind::Foreign && self.random.u8(..4) == 0 {
            return self.of(&["x=ext(s);", "s=ext(x);", "g=ext(y);", "x=ext(g);"]);
        }
        match self.random.u8(..14) {
            0 | 1 => format!("s=s+{n};"),
            2 => "s=s+x;".to_owned(),
            3 => format!("x={n};"),
            4 => "x=y;".to_owned(),
            5 => format!("g=g+{n};"),
            6 => "x=read();".to_owned(),
            7 => "y=x+1;".to_owned(),
            8 if addresses => format!("i={};", n.min(2)),
            9 if addresses => "x=a[i];".to_owned(),
            10 if addresses => format!("a[i]={n};"),
            11 if addresses => self.of(&["p=&g;", "p=&h;", "p=&s;"]),
            12 if addresses => self.of(&["*p=*p+1;", "*p=1;", "x=*p;"]),
            8 => self.of(&["x=f(x);", "f(read());", "s=s+f(y);"]),
            9 => self.of(&["w(x);", "x=w(read());"]),
            10 => format!("x=read(); assume(x>=0); assume(x<={n});"),
            11 => "s=s-1;".to_owned(),
            12 => self.of(&["x=poke0(x,s);", "x=poke1(x,y);", "s=s+byte1(x);", "s=poke0(s,read());", "y=byte0(s);"]),
            _ => format!("h={n};"),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let choice = self.random.u8(..13);
        if depth == 0 {
            return format!("{} ", self.simple());
        }
        match choice {
            0..6 => {
                let condition = self.condition();
                let (yes, no) = (self.statement(depth - 1), self.statement(depth - 1));
                if self.random.bool() {
                    format!("if({condition}) {{ {yes} }} ")
                } else {
                    format!("if({condition}) {{ {yes} }} else {{ {no} }} ")
                }
            }
            6 if self.kind == Kind::Addresses => {
                format!("y=read(); assume(y>=0); assume(y<3); {} ", self.of(&["x=a[y];", "a[y]=5;", "if(a[y]>4) s=s+1;", "i=y;"]))
            }
            6 | 7 if self.loops < 2 => {
                self.loops += 1;
                let body = self.statement(depth - 1);
                let bound = self.random.i32(1..4);
                if self.kind == Kind::Loops {
                    let more = self.statement(0);
                    return format!("while({}) {{ {body} {more} }} ", self.of(&["read()", "read()>1", "s<3"]));
                }
                let name = format!("k{}", self.loops);
                format!("int {name}=0; while({name}<{bound}) {{ {body} {name}={name}+1; }} ")
            }
            10 => {
                let value = self.of(&["read()", "read()", "x", "y", "g+h"]);
                let blocks: String = (0..self.random.usize(2..4)).map(|_| format!("{{ {} }} ", self.statement(0))).collect();
                format!("switch({value}) {{ {blocks} }} ")
            }
            8 => {
                let assertion = self.assertion();
                format!("{assertion} ")
            }
            _ => format!("{} ", self.simple()),
        }
    }
}
