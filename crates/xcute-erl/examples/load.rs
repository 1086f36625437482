use std::sync::Arc;
use std::time::Instant;
use xcute_erl::program::*;
use xcute_erl::vm::*;
fn main() {
    let home = Arc::new(Home::find().unwrap());
    let mut vm = Vm::start(&home).unwrap();
    for a in std::env::args().skip(1) {
        let s = if a.ends_with(".erl") { Source::File(a.clone().into(), vec![]) } else { Source::Module(a.clone()) };
        let t = Instant::now();
        match Modules::load(&home, &mut vm, &[s], &[]) {
            Ok(m) => {
                println!(
                    "{a}: {:?} {:?}",
                    t.elapsed(),
                    m.followed
                        .iter()
                        .map(|f| (m.atoms.name(f.normal.module.name), f.normal.module.events, f.copy.len()))
                        .collect::<Vec<_>>()
                );
                let t = Instant::now();
                let f = &m.followed[0].normal.module;
                let (name, arity) = f.exports[0];
                let (module, name) = (m.atoms.name(f.name).to_owned(), m.atoms.name(name).to_owned());
                let p = Program::new(&Arc::new(m), &module, &name, arity).unwrap();
                println!(
                    "   program {:?} {} functions {} exprs {} sites",
                    t.elapsed(),
                    p.code.functions.len(),
                    p.code.exprs.len(),
                    p.sites.sites.len()
                );
            }
            Err(e) => println!("{a}: {e}"),
        }
    }
}
