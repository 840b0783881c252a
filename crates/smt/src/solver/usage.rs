//! What a process has used of the machine, as the system tells.

use std::time::Duration;

/// What a solver's process has used. Zeros where the system does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Processor time, of all its threads.
    pub processor: Duration,
    /// The largest amount of memory that was in use, in bytes.
    pub memory: u64,
}

/// Linux counts the time of processes in hundredths of a second, whatever its own clock does.
const TICK: Duration = Duration::from_millis(10);

impl Usage {
    /// That of a process that has not been waited for.
    pub(super) fn of(process: u32) -> Usage {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let ticks = ticks_in(&read("stat")).unwrap_or(0);
        Usage { processor: TICK * ticks, memory: peak_in(&read("status")).unwrap_or(0) }
    }

    /// That of two processes side by side.
    pub fn add(&mut self, other: Usage) {
        self.processor += other.processor;
        self.memory += other.memory;
    }

    /// The larger of each: a process that has ended tells of its time only.
    pub(super) fn raise(&mut self, now: Usage) {
        self.processor = self.processor.max(now.processor);
        self.memory = self.memory.max(now.memory);
    }
}

/// In user mode and in the kernel: fields 14 and 15. The second is the program's name in
/// parentheses, with anything in it.
fn ticks_in(stat: &str) -> Option<u32> {
    let (_, behind) = stat.rsplit_once(')')?;
    let mut fields = behind.split_ascii_whitespace().skip(11);
    let (user, system): (u32, u32) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    user.checked_add(system)
}

fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_tells_is_read() {
        let stat = "77 (a) b) S 1 77 77 0 -1 4194304 120 0 0 0 250 31 0 0 20 0 1 0 99 1000 5";
        assert_eq!(ticks_in(stat), Some(281));
        assert_eq!(ticks_in("77 (z3"), None);
        assert_eq!(peak_in("Name:\tz3\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234 * 1024));
        assert_eq!(Usage::of(u32::MAX), Usage::default());
    }
}
