//! Reservations of `lr.w`: one a lane, one word each, broken by any other lane's store to it.
//!
//! They are few and short, so a list behind a lock is enough; its length beside it tells stores that there is nothing
//! to break.

use super::Memory;
use crate::units::{Address, CoreId, LaneId, WarpId};
use serde::{Deserialize, Serialize};
#[cfg(feature = "fast")]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// A word that a lane has loaded by `lr.w` and nobody else has stored to since.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Whose it is. A lane has one at most.
    pub owner: LaneId,
    /// The word.
    pub address: Address,
    /// Whether the word is in the owner's core-local memory, which other cores cannot see.
    pub is_local: bool,
}

impl Memory {
    /// Whether any lane holds a reservation: when none does, stores need not call [`Memory::break_reservations`].
    #[inline]
    pub fn has_reservations(&self) -> bool {
        self.reservation_count.load(Relaxed) != 0
    }

    /// Where the number of reservations is, for code that looks by itself.
    #[cfg(feature = "fast")]
    pub(crate) fn reservation_count(&self) -> &AtomicUsize {
        &self.reservation_count
    }

    /// All reservations, in no order that matters.
    pub fn reservations(&self) -> Vec<Reservation> {
        self.lock().clone()
    }

    /// Gives a lane a reservation in place of the one it may have.
    pub fn reserve(&self, reservation: Reservation) {
        let mut list = self.lock();
        list.retain(|held| held.owner != reservation.owner);
        list.push(reservation);
        // An order that does not depend on the order in which lanes came, so that equal states compare equal.
        list.sort_unstable_by_key(|held| held.owner);
        self.reservation_count.store(list.len(), Relaxed);
    }

    /// Ends a lane's reservation; gives whether it was on `address`.
    pub fn take_reservation(&self, owner: LaneId, address: Address) -> bool {
        self.remove_reservations(|held| held.owner == owner).iter().any(|held| held.address == address)
    }

    /// A store of `owner` to the word at `address` breaks every other lane's reservation of it.
    pub fn break_reservations(&self, owner: LaneId, address: Address, is_local: bool) {
        let word = Address(address.0 & !3);
        self.remove_reservations(|held| {
            let is_seen = held.is_local == is_local && (!is_local || held.owner.core == owner.core);
            held.address == word && is_seen && held.owner != owner
        });
    }

    /// Ends the reservations of a warp that has ended.
    pub fn drop_reservations(&self, core: CoreId, warp: WarpId) {
        if self.has_reservations() {
            self.remove_reservations(|held| held.owner.core == core && held.owner.warp == warp);
        }
    }

    /// Ends all reservations.
    pub fn clear_reservations(&self) {
        self.remove_reservations(|_| true);
    }

    fn remove_reservations(&self, is_removed: impl Fn(&Reservation) -> bool) -> Vec<Reservation> {
        let mut list = self.lock();
        let removed = list.extract_if(.., |held| is_removed(held)).collect();
        self.reservation_count.store(list.len(), Relaxed);
        removed
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Reservation>> {
        self.reservations.lock().expect("no host thread panics while it holds the reservations")
    }
}
