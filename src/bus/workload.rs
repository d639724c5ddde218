//! Limits the work that callers can ask for, whether they may change the clock or not: so many
//! calls at work and waiting for each user, however many connections the user has, and so many in
//! all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::errors::{Error, Result};
use super::who::Caller;

/// Calls of one user that are computed at the same time.
const AT_WORK: usize = 2;
/// Calls of one user that may wait for that.
const WAITING: usize = 16;
/// Calls of all users; a quarter of them is kept for arbiters.
const IN_ALL: usize = 64;

/// Counts the calls.
#[derive(Debug, Default)]
pub(super) struct Workload {
    users: Mutex<Users>,
}

#[derive(Debug, Default)]
struct Users {
    in_all: usize,
    by_user: HashMap<u32, User>,
}

#[derive(Debug)]
struct User {
    calls: usize,
    at_work: Arc<Semaphore>,
}

/// A call that is counted until this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    workload: Arc<Workload>,
    uid: u32,
    /// Taken when the call's turn has come.
    _at_work: Option<OwnedSemaphorePermit>,
}

impl Workload {
    /// Waits for a call's turn.
    ///
    /// # Errors
    /// Too many calls wait already.
    pub(super) async fn turn(self: &Arc<Self>, caller: &Caller) -> Result<Place> {
        let (mut place, at_work) = self.enter(caller.uid(), caller.is_arbiter())?;
        // The semaphore is never closed.
        place._at_work = at_work.acquire_owned().await.ok();
        Ok(place)
    }

    fn enter(self: &Arc<Self>, uid: u32, arbiter: bool) -> Result<(Place, Arc<Semaphore>)> {
        let mut users = self.users();
        let most = if arbiter { IN_ALL } else { IN_ALL * 3 / 4 };
        let own = users.by_user.get(&uid).map_or(0, |user| user.calls);
        if users.in_all >= most || own >= AT_WORK + WAITING {
            let sentence = "too many calls are waiting: ask again in a moment";
            return Err(Error::Busy(sentence.to_owned()));
        }
        let user = users
            .by_user
            .entry(uid)
            .or_insert_with(|| User { calls: 0, at_work: Arc::new(Semaphore::new(AT_WORK)) });
        user.calls += 1;
        let at_work = Arc::clone(&user.at_work);
        users.in_all += 1;
        Ok((Place { workload: Arc::clone(self), uid, _at_work: None }, at_work))
    }

    fn users(&self) -> MutexGuard<'_, Users> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut users = self.workload.users();
        users.in_all -= 1;
        if let Some(user) = users.by_user.get_mut(&self.uid) {
            user.calls -= 1;
            if user.calls == 0 {
                users.by_user.remove(&self.uid);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_eighteen_calls_and_strangers_leave_a_quarter_to_arbiters() {
        let workload = Arc::new(Workload::default());
        let mut places = Vec::new();
        for uid in 0..3 {
            for call in 0..20 {
                match workload.enter(uid, false) {
                    Ok((place, _)) => places.push(place),
                    Err(error) => {
                        assert!(matches!(error, Error::Busy(_)), "{error}");
                        assert!(call >= AT_WORK + WAITING || places.len() >= IN_ALL * 3 / 4);
                    }
                }
            }
        }
        assert_eq!(places.len(), IN_ALL * 3 / 4);
        for _ in 0..IN_ALL / 4 {
            places.push(workload.enter(7, true).map(|(place, _)| place).unwrap());
        }
        assert!(workload.enter(8, true).is_err());
        places.clear();
        assert_eq!(workload.users().in_all, 0);
        assert!(workload.users().by_user.is_empty());
    }
}
