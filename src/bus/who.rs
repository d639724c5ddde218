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

use tokio::time::Instant;
use zbus::fdo::{DBusProxy, NameOwnerChangedStream};
use zbus::names::{BusName, OwnedUniqueName, UniqueName};

use super::errors::{Error, Result};
use crate::daemon::bridge::Origin;

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
}

/// Somebody on the bus.
#[derive(Debug)]
pub(super) struct Caller {
    /// The user's name, or `uid N` where the user has none.
    user: String,
    arbiter: bool,
    denials: Mutex<Denials>,
}

#[derive(Debug, Default)]
struct Denials {
    last: Option<Instant>,
    unsaid: u32,
}

impl Who {
    /// Asks over `connection`, which serves nothing. `own_user` is an arbiter, too.
    pub(super) async fn new(
        connection: &zbus::Connection,
        own_user: Option<u32>,
    ) -> zbus::Result<(Arc<Self>, NameOwnerChangedStream)> {
        let bus = DBusProxy::new(connection).await?;
        let gone = bus.receive_name_owner_changed_with_args(&[(2, "")]).await?;
        Ok((Arc::new(Who { bus, own_user, known: Mutex::default() }), gone))
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
            user: user_name(uid).unwrap_or_else(|| format!("uid {uid}")),
            arbiter: is_arbiter(uid, groups, group_id(GROUP), self.own_user),
            denials: Mutex::default(),
        });
        self.known().insert(sender.to_owned().into(), Arc::clone(&caller));
        Ok(caller)
    }

    /// Forgets a caller that has left the bus.
    pub(super) fn forget(&self, name: &str) {
        self.known().remove(name);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<OwnedUniqueName, Arc<Caller>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Caller {
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

    /// What the line of a refused attempt says; `None` where the caller had one a moment ago.
    pub(super) fn denial(&self, what: &str, now: Instant) -> Option<String> {
        let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        if denials.last.is_some_and(|last| now < last + DENIALS) {
            denials.unsaid = denials.unsaid.saturating_add(1);
            return None;
        }
        denials.last = Some(now);
        Some(match std::mem::take(&mut denials.unsaid) {
            0 => what.to_owned(),
            more => format!("{what}, and {more} more before"),
        })
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
        let caller = Caller { user: "eve".to_owned(), arbiter: false, denials: Mutex::default() };
        let now = Instant::now();
        let ms = Duration::from_millis;
        assert_eq!(caller.denial("pause", now).as_deref(), Some("pause"));
        assert_eq!(caller.denial("end", now + ms(1)), None);
        assert_eq!(caller.denial("pause", now + ms(999)), None);
        assert_eq!(
            caller.denial("adjust", now + ms(1_000)).as_deref(),
            Some("adjust, and 2 more before")
        );
        assert_eq!(caller.denial("adjust", now + ms(3_000)).as_deref(), Some("adjust"));
    }
}
