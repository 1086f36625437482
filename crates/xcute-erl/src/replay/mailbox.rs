//! Mailboxes: what was sent to a process, which part of that it has fetched, and the receive that looks at it.
//!
//! A message keeps what depends on the input. The emulator says which message it fetched; one that nobody followed on its way here is taken as it is.
//!
//! **Invariant.** The first messages are those that were fetched, in the order in which they were sent.

use super::control::Next;
use super::value::Val;
use super::{Exception, Machine, Res, Stop};
use crate::core::normalise::EventKind;
use crate::etf::Atom;
use crate::flat::PlaceId;

/// What was sent to a process.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    messages: Vec<Val>,
    fetched: usize,
    /// The message that a receive looks at.
    at: usize,
    /// A receive has looked at all that was fetched.
    looked: bool,
}

impl Mailbox {
    /// Something is sent.
    pub(super) fn send(&mut self, message: Val) {
        self.messages.push(message);
    }
}

impl Machine<'_> {
    fn mailbox(&mut self) -> &mut Mailbox {
        &mut self.strands.own.mailbox
    }

    /// The message that is looked at, if one is left.
    pub(super) fn peek_message(&mut self) -> Next {
        let mailbox = self.mailbox();
        let message = mailbox.messages[..mailbox.fetched].get(mailbox.at).copied();
        mailbox.looked = message.is_none();
        self.values.clear();
        self.values.extend([Val::Atom(if message.is_some() { Atom::TRUE } else { Atom::FALSE }), message.unwrap_or(Val::Nil)]);
        Next::Return
    }

    /// It does not match.
    pub(super) fn next_message(&mut self) -> Next {
        self.mailbox().at += 1;
        self.give(Val::Atom(Atom::OK))
    }

    /// It matches.
    pub(super) fn remove_message(&mut self, id: u32, place: PlaceId) -> Res<Next> {
        self.expect_at(id, "the receipt of a message", place)?;
        self.events.value();
        let mailbox = self.mailbox();
        if mailbox.at < mailbox.fetched {
            mailbox.messages.remove(mailbox.at);
            mailbox.fetched -= 1;
        }
        mailbox.at = 0;
        Ok(self.give(Val::Atom(Atom::OK)))
    }

    /// Nothing that was fetched matches: whether the time is over.
    pub(super) fn wait_message(&mut self, time: Val, place: PlaceId) -> Res<Next> {
        let infinite = self.waits_for_ever(time, place)?;
        if !self.mailbox().looked {
            if infinite {
                self.strands.own.place = Some(place);
                return Err(Stop::Pause);
            }
            return Ok(self.give(Val::Atom(Atom::TRUE)));
        }
        self.granted(place)?;
        let Some(event) = self.events.peek() else { return Err(Stop::Over) };
        let late = self.kind(event) != Some(EventKind::Fetched);
        if late {
            self.mailbox().at = 0;
        } else {
            self.fetch(place)?;
        }
        self.mailbox().looked = false;
        Ok(self.give(Val::Atom(if late { Atom::TRUE } else { Atom::FALSE })))
    }

    /// Whether a time is `infinity`. It fails if it is not a time at all. How long it is matters only where there are several processes.
    fn waits_for_ever(&mut self, time: Val, place: PlaceId) -> Res<bool> {
        let mut ctx = self.body(place);
        let reason = self.atoms.intern("timeout_value");
        let infinity = Val::Atom(Atom::INFINITY);
        let time = self.resolved(time);
        if time == infinity || self.decided_same(&ctx, time, infinity)? {
            return Ok(true);
        }
        let time = self.integer(&mut ctx, time, reason)?;
        let number = self.integer_term(time).expect("an integer");
        let inside = self.within(number, 0, u32::MAX);
        self.require(&mut ctx, inside, Val::Atom(reason))?;
        if self.strands.directed.is_some_and(|directed| directed.tasks.len() > 1) {
            self.fixed(&ctx, time, "the time that a receive waits")?;
        }
        Ok(false)
    }

    /// The next message is fetched.
    pub(super) fn fetch(&mut self, place: PlaceId) -> Res<()> {
        self.events.take();
        let Some(bytes) = self.events.value() else { return Err(Stop::Over) };
        let told = crate::etf::read(bytes, self.atoms).map_err(|error| Stop::Lost(format!("a message cannot be read: {error}")))?;
        let fetched = self.mailbox().fetched;
        let sent = self.mailbox().messages.get(fetched).copied();
        if !sent.is_some_and(|sent| self.is_term(sent, &told)) {
            let what = format!(
                "a message from elsewhere that is received at {}: it may have been another, or come at another time",
                self.spot(place)
            );
            self.rec.limit("unsupported", &what, true);
            let told = self.heap.literal(&told);
            self.mailbox().messages.insert(fetched, told);
        }
        self.mailbox().fetched += 1;
        Ok(())
    }

    /// A message that was fetched is thrown away.
    pub(super) fn flush(&mut self) -> Res<()> {
        self.events.take();
        let Some(bytes) = self.events.value() else { return Err(Stop::Over) };
        let told = crate::etf::read(bytes, self.atoms).map_err(|error| Stop::Lost(format!("a message cannot be read: {error}")))?;
        let fetched = {
            let mailbox = self.mailbox();
            mailbox.messages[..mailbox.fetched].to_vec()
        };
        if let Some(at) = fetched.into_iter().position(|message| self.is_term(message, &told)) {
            self.mailbox().messages.remove(at);
            self.mailbox().fetched -= 1;
        }
        Ok(())
    }

    /// A signal makes a message for a process, or ended it.
    pub(super) fn signal(&mut self) -> Res<()> {
        let Some(event) = self.events.take() else { return Err(Stop::Over) };
        let kind = self.kind(event);
        let Some(bytes) = self.events.value() else { return Err(Stop::Over) };
        let told = self.decoded(bytes)?;
        if kind == Some(EventKind::Killed) {
            self.rec.limit("unsupported", "a process that an exit signal ends: it may end at other moments, too", true);
            self.lose(told);
            return Ok(());
        }
        let Val::Tuple(pair) = told else { return Err(Stop::Lost("a signal of a process".to_owned())) };
        let [to, mut message] = *self.heap.elements(pair) else { return Err(Stop::Lost("a signal of a process".to_owned())) };
        if let Val::Tuple(tuple) = message {
            let mut items = self.heap.elements(tuple).to_vec();
            let heard = items.last().copied().unwrap_or(message);
            if let (Some(reason), Some(last)) = (self.symbolic_reason(heard), items.last_mut()) {
                *last = reason;
                message = self.heap.tuple(&items);
            }
        }
        if let Some(mailbox) = self.mailbox_of(to) {
            mailbox.send(message);
        }
        Ok(())
    }

    /// An exception of a call about processes.
    pub(super) fn raised(&mut self, raised: Val, place: PlaceId) -> Stop {
        if let Val::Tuple(pair) = raised
            && let [Val::Atom(class), reason] = *self.heap.elements(pair)
        {
            return Stop::Raise(Exception { class, reason, place: Some(place) });
        }
        Stop::Diverged(format!("an exception at {}", self.program.code.at(place)))
    }
}
