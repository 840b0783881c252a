//! Programs with constraints on which an engine once disagreed with brute force, and still does
//! where the rule is broken that fixed it.

/// Of `a` and `k`, each makes the other one commute with `f`.
pub(crate) const EACH_OTHER: &str = "int x = 0;
    process p0 { atomic a { x = x * 0 + 1; } }
    process p1 { int t; bool c; atomic f { c = x > 0; } if (c) { atomic g { x = 1; } atomic h { t = x; } } }
    process p2 { atomic k { x = 1; } }
    independent a, f when x == 1;
    independent a, g when true;
    independent a, k when true;
    independent f, k when x == 1;
    independent g, k when true;
    independent h, k when true;";

/// Once `y = 0` has run, `z` is 0, and whoever writes `x` writes 0. The order in which `x = z`
/// comes before all of p2 is requested by executions in which `x = z` comes after `x = 0`, and `y =
/// 0` still later.
pub(crate) const LATER_REASON: &str = "int x = 1, y = 1, z = 1;
    process p0 { y = 2; atomic a { x = z; } }
    process p1 { assert (z != 1) || (x <= 0); atomic b { x = 0; } }
    process p2 { z = 0; y = 0; }
    independent a, b when y < 2;";

/// `s` commutes with the two that wait, but after it they look at another cell. In the order that
/// was explored first, they do not meet `b`.
pub(crate) const OTHER_USES: &str = "int a[2] = 0, k = 0;
    process p0 { if (k > 0) { } else { atomic s { k = 1; } } }
    process p1 { atomic b { a[0] = 1; } }
    process p2 { atomic w { await a[k] != 1; } atomic v { await a[k] != 1; } assert k == 1; }
    independent s, w when a[1] == 0 && 0 <= k && k <= 1;
    independent s, v when a[1] == 0 && 0 <= k && k <= 1;";
