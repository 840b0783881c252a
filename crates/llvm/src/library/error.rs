//! Error numbers of Linux, as functions give them.

/// EPERM
pub(super) const NOT_PERMITTED: u64 = 1;
/// EAGAIN
pub(super) const AGAIN: u64 = 11;
/// EBUSY
pub(super) const BUSY: u64 = 16;
/// EINVAL
pub(super) const INVALID: u64 = 22;
/// EDEADLK
pub(super) const DEADLOCK: u64 = 35;
/// EOVERFLOW
pub(super) const OVERFLOW: u64 = 75;
/// ETIMEDOUT
pub(super) const TIMED_OUT: u64 = 110;
