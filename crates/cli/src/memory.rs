//! The memory this process has used.

/// The largest amount of memory that was in use, in bytes; 0 where the system does not tell.
pub(crate) fn peak() -> u64 {
    std::fs::read_to_string("/proc/self/status").ok().and_then(|status| peak_in(&status)).unwrap_or(0)
}

fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_peak_is_found() {
        assert_eq!(super::peak_in("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234 * 1024));
        assert_eq!(super::peak_in("Name:\tx\n"), None);
    }
}
