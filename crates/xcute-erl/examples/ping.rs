use std::time::Instant;
use xcute_erl::etf::*;
use xcute_erl::vm::*;
fn main() {
    let home = Home::find().unwrap();
    let t = Instant::now();
    let mut vm = Vm::start(&home).unwrap();
    println!("start {:?}", t.elapsed());
    let mut atoms = Atoms::new();
    let f = atoms.intern("max");
    vm.set_up((Atom::ERLANG, f), Tell::Events, Limits::default(), &mut atoms).unwrap();
    let mut e = Encoder::over(Vec::new(), &[0]);
    e.list(2);
    e.int(1);
    e.int(2);
    e.nil();
    let p = e.finish();
    for _ in 0..5 {
        let t = Instant::now();
        let n = 5000;
        for _ in 0..n {
            vm.run(&p, &mut atoms).unwrap();
        }
        println!("{:.1} us per run", t.elapsed().as_secs_f64() * 1e6 / n as f64);
    }
    println!("{:?}", vm.run(&p, &mut atoms));
}
