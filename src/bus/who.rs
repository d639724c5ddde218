//! Who calls, and what they may: the only place that authorises.
//!
//! Arbiters are root, the members of the group [`GROUP`] and, on a bus of one's own (private or
//! session), the daemon's own user. The bus says who a caller is; it is asked over a connection of
//! its own, because a question on the serving connection would wait behind the calls that it is
//! asked for. What it said is kept until the caller leaves the bus.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use zbus::fdo::{DBusProxy, NameOwnerChangedStream};
use zbus::names::{BusName, OwnedUniqueName, UniqueName};

use super::errors::{Error, Result};
use crate::daemon::bridge::{Bridge, Origin, Submission};
use crate::engine::operation::Denied;

/// Whose members are arbiters.
pub(super) const GROUP: &str = "flagfall-arbiter";

/// How often a caller's refused attempts make a line.
const DENIALS: Duration = Duration::from_secs(1);

/// The callers of one bus.
#[derive(Debug)]
pub(super) struct Who {
    bus: DBusProxy<'static>,
    /// The user who is an arbiter beside root and the group's members.
    own_user: Option<u32>,
    known: Mutex<HashMap<OwnedUniqueName, Arc<Caller>>>,
    /// By user, not by connection: who comes back under another name is still the same.
    denials: Mutex<HashMap<u32, Denials>>,
}

/// Somebody on the bus.
#[derive(Debug)]
pub(super) struct Caller {
    uid: u32,
    /// The user's name, or `uid N` where the user has none.
    user: String,
    arbiter: bool,
}

/// A user's refused attempts.
#[derive(Debug, Default)]
struct Denials {
    /// Until then there is no other line.
    quiet_until: Option<Instant>,
    /// How many are still to be counted in a line.
    unsaid: u32,
}

/// When a refused attempt stands in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denial {
    /// Now, in a line of its own.
    Said,
    /// In a count, which is due then.
    CountedAt(Instant),
    /// In a count that somebody waits for already.
    Counted,
}

impl Who {
    /// Asks over `connection`, which serves nothing. `own_user` is an arbiter, too.
    pub(super) async fn new(
        connection: &zbus::Connection,
        own_user: Option<u32>,
    ) -> zbus::Result<(Arc<Self>, NameOwnerChangedStream)> {
        let bus = DBusProxy::new(connection).await?;
        let gone = bus.receive_name_owner_changed_with_args(&[(2, "")]).await?;
        let (known, denials) = (Mutex::default(), Mutex::default());
        Ok((Arc::new(Who { bus, own_user, known, denials }), gone))
    }

    /// Who has sent a message.
    pub(super) async fn caller(&self, sender: Option<&UniqueName<'_>>) -> Result<Arc<Caller>> {
        let unknown = || Error::NotPermitted("the bus does not say who asks".to_owned());
        let sender = sender.ok_or_else(unknown)?;
        if let Some(caller) = self.known().get(sender.as_str()) {
            return Ok(Arc::clone(caller));
        }
        let credentials = self
            .bus
            .get_connection_credentials(BusName::Unique(sender.as_ref()))
            .await
            .map_err(|error| Error::Bus(error.into()))?;
        let uid = credentials.unix_user_id().ok_or_else(unknown)?;
        let groups = credentials.unix_group_ids().map_or(&[][..], Vec::as_slice);
        let caller = Arc::new(Caller {
            uid,
            user: user_name(uid).unwrap_or_else(|| format!("uid {uid}")),
            arbiter: is_arbiter(uid, groups, group_id(GROUP), self.own_user),
        });
        self.known().insert(sender.to_owned().into(), Arc::clone(&caller));
        Ok(caller)
    }

    /// Forgets a caller that has left the bus.
    pub(super) fn forget(&self, name: &str) {
        self.known().remove(name);
    }

    /// Who has sent a message, if that is an arbiter. Who is none is refused, and `journal` is told.
    pub(super) async fn permit(
        self: &Arc<Self>,
        sender: Option<&UniqueName<'_>>,
        what: &str,
        journal: &Bridge,
    ) -> Result<Origin> {
        let caller = self.caller(sender).await?;
        if caller.is_arbiter() {
            return Ok(caller.origin());
        }
        let denial = self.denials().entry(caller.uid).or_default().another(Instant::now());
        match denial {
            Denial::Said => {
                let denied = Denied { what: what.to_owned() };
                journal.submit(Submission::new(denied, caller.origin())).await?;
            }
            Denial::CountedAt(due) => {
                let who = Arc::clone(self);
                tokio::spawn(who.count(Arc::clone(&caller), due, journal.clone()));
            }
            Denial::Counted => {}
        }
        Err(caller.refusal(what))
    }

    /// Tells how many attempts of a user's have no line of their own, when that is due.
    async fn count(self: Arc<Self>, caller: Arc<Caller>, due: Instant, journal: Bridge) {
        sleep_until(due).await;
        let more = self.denials().entry(caller.uid).or_default().count(Instant::now());
        // A clock that ends has nobody left to tell.
        let denied = Denied { what: format!("{more} more") };
        let _ = journal.submit(Submission::new(denied, caller.origin())).await;
    }

    fn denials(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Denials>> {
        self.denials.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<OwnedUniqueName, Arc<Caller>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Caller {
    /// The user's number.
    pub(super) fn uid(&self) -> u32 {
        self.uid
    }

    /// May correct the clock, and may know the move counters.
    pub(super) fn is_arbiter(&self) -> bool {
        self.arbiter
    }

    /// As it stands in a line.
    pub(super) fn origin(&self) -> Origin {
        Origin::Bus(self.user.clone())
    }

    /// The refusal of something that only arbiters may.
    pub(super) fn refusal(&self, what: &str) -> Error {
        Error::NotPermitted(format!(
            "{what} is for arbiters, and {} is none: ask for membership of the group {GROUP} \
             (sudo usermod -aG {GROUP} USER; it counts from the next login)",
            self.user
        ))
    }
}

impl Denials {
    fn another(&mut self, now: Instant) -> Denial {
        let quiet = self.quiet_until.filter(|until| self.unsaid > 0 || now < *until);
        let Some(until) = quiet else {
            self.quiet_until = Some(now + DENIALS);
            return Denial::Said;
        };
        self.unsaid = self.unsaid.saturating_add(1);
        if self.unsaid == 1 { Denial::CountedAt(until) } else { Denial::Counted }
    }

    fn count(&mut self, now: Instant) -> u32 {
        self.quiet_until = Some(now + DENIALS);
        std::mem::take(&mut self.unsaid)
    }
}

fn is_arbiter(uid: u32, groups: &[u32], arbiters: Option<u32>, own_user: Option<u32>) -> bool {
    uid == 0 || own_user == Some(uid) || arbiters.is_some_and(|group| groups.contains(&group))
}

/// A user's name, as the system's own table has it.
fn user_name(uid: u32) -> Option<String> {
    entries("/etc/passwd").into_iter().find(|(_, id)| *id == uid).map(|(name, _)| name)
}

/// A group's number, as the system's own table has it. Read anew for each new caller: the group may
/// be made while the daemon runs.
fn group_id(group: &str) -> Option<u32> {
    entries("/etc/group").into_iter().find(|(name, _)| name == group).map(|(_, id)| id)
}

/// Names and numbers of such a table.
fn entries(table: &str) -> Vec<(String, u32)> {
    let entry = |line: &str| {
        let mut parts = line.split(':');
        Some((parts.next()?.to_owned(), parts.nth(1)?.parse().ok()?))
    };
    let text = fs::read_to_string(table).unwrap_or_default();
    text.lines().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_the_groups_members_and_the_own_user_are_arbiters() {
        for (uid, groups, arbiters, own_user, expected) in [
            (0, &[][..], None, None, true),
            (1000, &[1000, 990], Some(990), None, true),
            (1000, &[1000, 990], Some(991), None, false),
            (1000, &[1000], None, None, false),
            (1000, &[1000], None, Some(1000), true),
            (1001, &[1001], Some(990), Some(1000), false),
        ] {
            let shown = format!("{uid} {groups:?} {arbiters:?} {own_user:?}");
            assert_eq!(is_arbiter(uid, groups, arbiters, own_user), expected, "{shown}");
        }
    }

    #[test]
    fn the_systems_tables_are_read() {
        assert_eq!(user_name(0).as_deref(), Some("root"));
        assert_eq!(group_id("root"), Some(0));
        assert_eq!(group_id("no-such-group-anywhere"), None);
    }

    #[test]
    fn refused_attempts_make_a_line_a_second_and_then_a_count() {
        let mut eve = Denials::default();
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        assert_eq!(eve.another(at(0)), Denial::Said);
        assert_eq!(eve.another(at(1)), Denial::CountedAt(at(1_000)));
        assert_eq!(eve.another(at(999)), Denial::Counted);
        // Who writes the count comes a little late.
        assert_eq!(eve.another(at(1_001)), Denial::Counted);
        assert_eq!(eve.count(at(1_002)), 3);
        assert_eq!(eve.another(at(2_001)), Denial::CountedAt(at(2_002)));
        assert_eq!(eve.count(at(2_002)), 1);
        assert_eq!(eve.another(at(3_002)), Denial::Said);
    }
}
