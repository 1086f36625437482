//! What static initialisers say to the runtime: that they begin and end. What they leave is kept there, and restored before later runs.

use xcute_classfile::assemble::Assembler;
use xcute_classfile::opcode::LDC_W;
use xcute_classfile::{ClassError, ClassFile};

const RUNTIME: &str = "java/lang/XcuteStatics";
/// The first version of class files in which code can name a class as a value.
const CLASS_CONSTANTS: u16 = 49;

/// Calls a method of the runtime, if this is a static initialiser.
pub(super) fn say(class: &mut ClassFile, method: &str, what: &str) -> Result<Vec<u8>, ClassError> {
    let mut code = Assembler::new();
    if method != "<clinit>" {
        return Ok(Vec::new());
    }
    if class.major < CLASS_CONSTANTS {
        code.call_static(&mut class.pool, RUNTIME, "unknown", "()V")?;
        return Ok(code.finish());
    }
    let own = class.name().to_owned();
    let constant = class.pool.add_class(&own)?;
    code.with(LDC_W, constant).call_static(&mut class.pool, RUNTIME, what, "(Ljava/lang/Class;)V")?;
    Ok(code.finish())
}
