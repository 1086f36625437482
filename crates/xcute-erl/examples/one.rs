use std::sync::Arc;
use xcute_erl::etf::*;
use xcute_erl::program::*;
use xcute_erl::subject::*;
use xcute_erl::vm::*;
use xcute_term::Terms;
use xcute_trace::Subject;
fn parse(s: &mut &[u8], atoms: &mut Atoms) -> Term {
    match s[0] {
        b'[' => {
            *s = &s[1..];
            let mut items = vec![];
            loop {
                match s[0] {
                    b']' => {
                        *s = &s[1..];
                        return Term::list(items);
                    }
                    b',' => {
                        *s = &s[1..];
                    }
                    b'|' => {
                        *s = &s[1..];
                        let t = parse(s, atoms);
                        *s = &s[1..];
                        return match t {
                            Term::List(more, tail) => Term::List([items, more].concat(), tail),
                            t => Term::List(items, Box::new(t)),
                        };
                    }
                    _ => items.push(parse(s, atoms)),
                }
            }
        }
        b'{' => {
            *s = &s[1..];
            let mut items = vec![];
            loop {
                match s[0] {
                    b'}' => {
                        *s = &s[1..];
                        return Term::Tuple(items);
                    }
                    b',' => {
                        *s = &s[1..];
                    }
                    _ => items.push(parse(s, atoms)),
                }
            }
        }
        _ => {
            let n = s.iter().position(|c| !(c.is_ascii_alphanumeric() || *c == b'_' || *c == b'-' || *c == b'.')).unwrap_or(s.len());
            let t = std::str::from_utf8(&s[..n]).unwrap();
            *s = &s[n..];
            if let Ok(i) = t.parse() {
                Term::Int(i)
            } else if let Ok(f) = t.parse() {
                Term::Float(f)
            } else {
                Term::Atom(atoms.intern(t))
            }
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let home = Arc::new(Home::find().unwrap());
    let mut vm = Vm::start(&home).unwrap();
    let m = Arc::new(Modules::load(&home, &mut vm, &[Source::File(a[1].clone().into(), vec![])], &[]).unwrap());
    let mut atoms = m.atoms.clone();
    let args: Vec<Term> = a[5..].iter().map(|t| parse(&mut t.as_bytes(), &mut atoms)).collect();
    let p = Arc::new(Program::new(&m, &a[2], &a[3], args.len() as u32).unwrap());
    let inputs = Arc::new(p.inputs(a[4].parse().ok()).unwrap());
    let mut s = ErlSubject::new(p, inputs, Limits::default());
    s.compare(true);
    let mut terms = Terms::new();
    let case = s.case(&mut terms, &args).expect("atoms known");
    let t = s.run(&case, &[], &mut terms).unwrap();
    println!("{:?} {:?}", t.outcome, t.limits);
    for d in &t.decisions {
        let site = s.sites().get(d.site);
        println!(
            "{} {:?}:{} {:?} {}: {:?}",
            d.site.0,
            site.kind,
            site.line,
            d.kind,
            d.taken,
            d.arms.iter().map(|&a| xcute_term::print::human(&terms, a)).collect::<Vec<_>>()
        );
    }
    println!("{:?}", s.last().ended);
}
