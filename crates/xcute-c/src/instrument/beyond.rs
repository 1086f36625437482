//! What models ask of the runtime (`runtimes/c/models/beyond.h`): that a value is one number from here on, that a block can be accessed, that a text ends.
//!
//! The functions themselves do nothing: hooks before their calls see what is symbolic.
//!
//! **Invariant.** The result of such a call is concrete, and is what the run had.

use super::llvm::Value;
use super::walk::Walker;

impl Walker<'_> {
    /// A call of one of these functions.
    pub(super) fn beyond(&mut self, i: Value, name: &str) {
        let Some(&site) = self.sites.get(&i) else { return };
        let (arguments, site) = (i.arguments(), self.emit.int(site.0));
        self.emit.before(i);
        match name {
            "__xcute_choose" => {
                self.emit.hook("xch_choose", &[self.one(arguments[0]), site]);
            }
            "__xcute_block" => {
                let block = self.block(arguments[0]);
                let (bytes, write) = (self.emit.resize(arguments[1], false), self.emit.flag(arguments[2]));
                self.emit.hook("xch_block", &[&block[..], &[bytes, self.one(arguments[1]), site, write]].concat());
            }
            _ => {
                let block = self.block(arguments[0]);
                self.emit.hook("xch_text", &[&block[..], &[self.emit.resize(arguments[1], false), site]].concat());
            }
        }
    }
}
