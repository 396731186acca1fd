//! What will happen when: a wheel of 256 slots, one for each of the next cycles.
//!
//! Before: any block of a core that knows when something ends. After: `core` takes what is due at the start of a cycle, in the
//! order in which it was entered. Whatever lies further off waits in its slot for the wheel's next turns.

use serde::{Deserialize, Serialize};

/// Slots of the wheel.
const SLOTS: usize = 256;

/// Events by cycle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    from = "Entries<E>",
    into = "Entries<E>",
    bound(serialize = "E: Clone + Serialize", deserialize = "E: Deserialize<'de>")
)]
pub struct Calendar<E> {
    slots: Box<[Vec<(u64, E)>; SLOTS]>,
    /// A bit for each slot that holds something.
    occupied: [u64; SLOTS / 64],
}

/// What is saved of a calendar: its entries, slot after slot.
#[derive(Serialize, Deserialize)]
struct Entries<E>(Vec<(u64, E)>);

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self { slots: Box::new(std::array::from_fn(|_| Vec::new())), occupied: [0; SLOTS / 64] }
    }
}

impl<E> From<Entries<E>> for Calendar<E> {
    fn from(entries: Entries<E>) -> Self {
        let mut calendar = Self::default();
        for (cycle, event) in entries.0 {
            calendar.enter(cycle, event);
        }
        calendar
    }
}

impl<E> From<Calendar<E>> for Entries<E> {
    fn from(calendar: Calendar<E>) -> Self {
        Self((*calendar.slots).into_iter().flatten().collect())
    }
}

impl<E> Calendar<E> {
    /// Lets `event` happen at `cycle`, which has not come yet.
    #[inline]
    pub fn enter(&mut self, cycle: u64, event: E) {
        let slot = cycle as usize % SLOTS;
        self.slots[slot].push((cycle, event));
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    /// All that is entered.
    pub fn entries(&self) -> impl Iterator<Item = &E> {
        self.slots.iter().flatten().map(|(_, event)| event)
    }

    /// Whether something may happen at `now`.
    #[inline]
    pub fn may_be_due(&self, now: u64) -> bool {
        let slot = now as usize % SLOTS;
        self.occupied[slot / 64] >> (slot % 64) & 1 != 0
    }

    /// The first of the events of `now` that has not been taken yet, for a `cursor` that begins at 0. What is entered meanwhile is
    /// for later cycles. When none is left the slot is closed: not to be asked again for this cycle.
    #[inline]
    pub fn next_due(&mut self, now: u64, cursor: &mut usize) -> Option<E>
    where
        E: Copy,
    {
        let slot = now as usize % SLOTS;
        let entries = &mut self.slots[slot];
        while let Some(&(cycle, event)) = entries.get(*cursor) {
            *cursor += 1;
            if cycle == now {
                return Some(event);
            }
        }
        // Most often nothing of later turns is left.
        if entries.iter().all(|(cycle, _)| *cycle == now) {
            entries.clear();
            self.occupied[slot / 64] &= !(1 << (slot % 64));
        } else {
            entries.retain(|(cycle, _)| *cycle != now);
        }
        None
    }

    /// The first cycle after `now` at which something may happen, within a turn of the wheel; nothing happens before it.
    #[inline]
    pub fn next_after(&self, now: u64) -> Option<u64> {
        let first = (now + 1) as usize % SLOTS;
        // The word of the first slot twice: its upper bits at the start of the turn, its lower ones at the end.
        for step in 0..=self.occupied.len() {
            let word = (first / 64 + step) % self.occupied.len();
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= u64::MAX << (first % 64);
            } else if step == self.occupied.len() {
                bits &= !(u64::MAX << (first % 64));
            }
            if bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                return Some(now + 1 + ((slot + SLOTS - first) % SLOTS) as u64);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(calendar: &mut Calendar<u32>, now: u64) -> Vec<u32> {
        let mut cursor = 0;
        std::iter::from_fn(|| calendar.next_due(now, &mut cursor)).collect()
    }

    #[test]
    fn events_come_in_the_order_of_entry_at_their_cycle() {
        let mut calendar = Calendar::default();
        for (cycle, event) in [(7, 1), (5, 2), (7, 3), (300, 4), (44, 5)] {
            calendar.enter(cycle, event);
        }
        let mut seen = Vec::new();
        let mut now = 0;
        while let Some(next) = calendar.next_after(now) {
            now = next;
            seen.extend(due(&mut calendar, now).into_iter().map(|event| (now, event)));
        }
        assert_eq!(seen, [(5, 2), (7, 1), (7, 3), (44, 5), (300, 4)]);
        assert_eq!(calendar.occupied, [0; SLOTS / 64]);
    }

    /// 44 and 300 share a slot: the second turn finds the later one, and one entered for the same slot meanwhile.
    #[test]
    fn a_slot_keeps_what_is_due_in_later_turns() {
        let mut calendar = Calendar::default();
        calendar.enter(300, 1);
        calendar.enter(44, 2);
        let mut cursor = 0;
        assert_eq!(calendar.next_due(44, &mut cursor), Some(2));
        calendar.enter(300, 3);
        assert_eq!(calendar.next_due(44, &mut cursor), None);
        assert_eq!(calendar.next_after(44), Some(300));
        assert_eq!(due(&mut calendar, 300), [1, 3]);
    }

    #[test]
    fn the_next_cycle_is_found_from_every_slot() {
        for now in 0..600 {
            for ahead in [1, 2, 63, 64, 65, 128, 255, 256] {
                let mut calendar = Calendar::default();
                calendar.enter(now + ahead, ());
                assert_eq!(calendar.next_after(now), Some(now + ahead), "{now} + {ahead}");
            }
        }
    }
}
