//! Branches, switches, selects and the ends of functions.

use super::llvm::Value;
use super::walk::Walker;

impl Walker<'_> {
    pub(super) fn branch(&mut self, i: Value) {
        let Some(&site) = self.sites.get(&i) else { return };
        match self.last_operands.get(&i).copied() {
            Some(operand) => {
                self.cover_in_place(i, operand);
                self.record("xch_br", i, operand, site.0);
            }
            None if i.has_metadata(self.program.check) => self.record("xch_assert", i, i.operand(0), site.0),
            None => self.record("xch_br", i, i.operand(0), site.0),
        }
    }

    /// Covers the arm of a decision that has no block of its own.
    fn cover_in_place(&mut self, i: Value, condition: Value) {
        if let Some(&byte) = self.select_bytes.get(&i) {
            self.emit.before(i);
            let at = self.emit.select(condition, self.emit.int(byte + 1), self.emit.int(byte));
            self.emit.hook("xch_cover", &[at]);
        }
    }

    /// Records a decision before an instruction.
    fn record(&mut self, hook: &'static str, i: Value, condition: Value, site: u32) {
        let handle = self.one(condition);
        if self.emit.is_zero(handle) {
            return;
        }
        self.emit.before(i);
        let flag = self.emit.flag(condition);
        self.emit.hook(hook, &[handle, flag, self.emit.int(site)]);
    }

    pub(super) fn switch(&mut self, i: Value) {
        let value = i.operand(0);
        let handle = self.one(value);
        let Some(&site) = self.sites.get(&i) else { return };
        if self.emit.is_zero(handle) {
            return;
        }
        if value.ty().width() > Some(64) {
            return self.lost(i, "switch of more than 64 bits");
        }
        self.emit.before(i);
        let v = self.emit.word(value);
        self.emit.hook("xch_sw", &[handle, v, self.emit.int(site.0)]);
    }

    /// select: a decision where the source has `?:`; else its result is an ITE.
    pub(super) fn select(&mut self, i: Value) {
        let (c, yes, no) = (i.operand(0), i.operand(1), i.operand(2));
        self.cover_in_place(i, c);
        if !self.any_symbolic(&[c, yes, no]) {
            return;
        }
        if c.ty().width().is_none() {
            return self.lost(i, "select of vectors");
        }
        let (hy, hn) = (self.all(yes), self.all(no));
        if let Some(&site) = self.sites.get(&i) {
            self.record("xch_br", i, c, site.0);
            self.emit.after(i);
            let handles = hy.into_iter().zip(hn).map(|(a, b)| self.emit.select(c, a, b)).collect();
            return self.set_all(i, handles);
        }
        self.emit.after(i);
        let hc = self.one(c);
        let flag = self.emit.word(c);
        let leaves = self.leaves(i.ty());
        let handles = leaves.iter().zip(hy.into_iter().zip(hn)).map(|(leaf, (a, b))| {
            let Some(width) = leaf.ty.width() else { return self.emit.zero() };
            let (t, t2) = self.emit.words(self.leaf(yes, leaf));
            let (f, f2) = self.emit.words(self.leaf(no, leaf));
            let w = self.emit.int(width);
            if width > 64 {
                return self.emit.hook("xch_wide_ite", &[w, hc, a, b, flag, t, t2, f, f2]);
            }
            self.emit.hook("xch_ite", &[w, hc, a, b, flag, t, f])
        });
        let handles = handles.collect();
        self.set_all(i, handles);
    }

    pub(super) fn ret(&mut self, i: Value) {
        let tail = i.block().instructions().iter().any(|c| c.is_must_tail());
        if tail {
            return;
        }
        self.emit.before(i);
        if let Some(frame) = self.frame {
            self.emit.hook("xch_unframe", &[frame]);
        }
        if self.program.follow {
            self.emit.hook("xch_follow_leave", &[]);
        }
        let handles = i.operands().first().map_or(Vec::new(), |&value| self.all(value));
        self.goes_back(&handles);
        for (n, handle) in (0..super::calls::RESULTS).zip(handles) {
            self.emit.hook("xch_ret", &[self.emit.int(n), handle]);
        }
        // Whoever called it through a pointer asks, even if it gives nothing.
        if self.program.address_taken.contains(&self.function) {
            let own = self.emit.word(self.function);
            self.emit.hook("xch_returned", &[own]);
        }
    }

    /// Code that must not be reached: what the optimiser would drop becomes a trap. Behind a call that does not return, nothing.
    pub(super) fn unreachable(&mut self, i: Value) {
        let all = i.block().instructions();
        let ends = all.iter().any(|c| c.is_call() && c.has_call_attribute("noreturn"));
        if !ends {
            self.emit.before(i);
            self.emit.hook("xch_unreachable", &[]);
        }
    }
}
