//! The order in which threads are held, as a file says it.
//!
//! Lines of words: `begin CLASS` for the class whose method `begin` says that the program begins; `place CLASS METHOD DESCRIPTOR POSITION CODE`, numbered
//! from 0, where the code of the method is known by its fingerprint; `step TASK PLACE` for an operation; `regain TASK` where a thread that waited has its
//! monitor again; `race FIRST SECOND` for the two steps that race. `trace FILE` asks for the path that the program takes, and
//! `blocks CLASS METHOD DESCRIPTOR CODE POSITION,POSITION..` has the blocks that it consists of, numbered from 0.

/// An instruction.
pub(crate) struct Place {
    /// The class as JVMTI names it: `Ljava/lang/Object;`.
    pub(crate) class: String,
    pub(crate) method: String,
    pub(crate) descriptor: String,
    /// Its position in the code.
    pub(crate) position: i64,
    /// The fingerprint of the code: in other code the position means nothing. 0: it is not known.
    pub(crate) code: u64,
}

/// What a thread does in its turn.
pub(crate) struct Step {
    /// Its fork path.
    pub(crate) task: String,
    /// Where it does so; `None` where it gets its monitor back.
    pub(crate) place: Option<usize>,
}

/// The blocks of a method.
pub(crate) struct Blocks {
    /// As in [`Place`].
    pub(crate) class: String,
    pub(crate) method: String,
    pub(crate) descriptor: String,
    pub(crate) code: u64,
    /// The number of the first, and where they begin.
    pub(crate) first: u32,
    pub(crate) positions: Vec<i64>,
}

/// The whole order.
#[derive(Default)]
pub(crate) struct Order {
    /// The class whose method says that the program begins, as JVMTI names it.
    pub(crate) begin: String,
    pub(crate) places: Vec<Place>,
    pub(crate) steps: Vec<Step>,
    /// Two steps that race: both threads are to stand there at the same time.
    pub(crate) race: Option<(usize, usize)>,
    /// The file for the path that the program takes.
    pub(crate) trace: Option<String>,
    pub(crate) blocks: Vec<Blocks>,
}

impl Order {
    /// Reads an order; `None` if it is not one.
    pub(crate) fn parse(text: &str) -> Option<Order> {
        let mut order = Order::default();
        let mut blocks = 0;
        for line in text.lines() {
            if let Some(file) = line.strip_prefix("trace ") {
                order.trace = Some(file.to_owned());
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["begin", class] => order.begin = format!("L{class};"),
                ["place", class, method, descriptor, position, code] => order.places.push(Place {
                    class: format!("L{class};"),
                    method: method.to_owned(),
                    descriptor: descriptor.to_owned(),
                    position: position.parse().ok()?,
                    code: u64::from_str_radix(code, 16).ok()?,
                }),
                ["step", task, place] => {
                    let place = place.parse().ok().filter(|place| *place < order.places.len())?;
                    order.steps.push(Step { task: task.to_owned(), place: Some(place) });
                }
                ["regain", task] => order.steps.push(Step { task: task.to_owned(), place: None }),
                ["race", first, second] => order.race = Some((first.parse().ok()?, second.parse().ok()?)),
                ["blocks", class, method, descriptor, code, positions] => {
                    let positions: Vec<i64> = positions.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
                    let (class, method, descriptor) = (format!("L{class};"), method.to_owned(), descriptor.to_owned());
                    let (code, first) = (u64::from_str_radix(code, 16).ok()?, blocks);
                    blocks += u32::try_from(positions.len()).ok()?;
                    order.blocks.push(Blocks { class, method, descriptor, code, first, positions });
                }
                _ => return None,
            }
        }
        Some(order)
    }
}
