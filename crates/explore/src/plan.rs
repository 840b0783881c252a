//! What an algorithm amounts to on a machine, and why. The only module that knows algorithms by
//! their names.
//!
//! An algorithm is a name for [`Parts`]: an engine, and what it takes into account. Not every
//! machine allows for all of them, so a [`Plan`] says which parts really run, by which name they
//! are known, and why that is another one. Whoever reports about an exploration prints the plan.
//!
//! To add an engine: a folder that implements the decisions, a variant of [`Engine`], a variant of
//! [`Algorithm`], and its line in [`Algorithm::row`].

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use mazurka_machine::Run;
use mazurka_trace::Outcome;

/// The exploration algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Algorithm {
    /// Every interleaving.
    None,
    /// Flanagan and Godefroid's dynamic partial order reduction, with sleep sets.
    Dpor,
    /// Source sets and sleep sets.
    Source,
    /// Wakeup trees: one execution for each trace, none blocked.
    #[default]
    Optimal,
    /// Wakeup trees, with two writes ordered only if somebody observes what they leave.
    Observers,
    /// Source sets, without what commutes in the state where it happens.
    Cs,
    /// Wakeup trees, without what commutes in the state where it happens.
    OptimalCs,
    /// `cs`, with what the program's independence constraints say.
    Constrained,
    /// `optimal-cs`, with what the program's independence constraints say.
    OptimalConstrained,
    /// Both: two writes are ordered only if somebody observes what they leave, and what commutes is
    /// left out.
    OptimalCsObservers,
    /// `optimal-cs-observers`, with what the program's independence constraints say.
    OptimalConstrainedObservers,
    /// The unfolding, with alternatives to so many of the disabled events.
    Quasi(NonZeroU32),
    /// The unfolding, with alternatives to all disabled events: one execution for each trace, none
    /// blocked.
    QuasiOptimal,
    /// So many random executions. It proves nothing.
    Random(NonZeroU32),
}

/// What decides what is explored from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    /// Backtrack sets that hold everybody.
    Everything,
    /// Backtrack sets that are persistent.
    Persistent,
    /// Backtrack sets that are source sets.
    Sources,
    /// Wakeup trees.
    WakeupTrees,
    /// Alternatives of the unfolding: to so many disabled events, or to all.
    Unfolding(Option<NonZeroU32>),
    /// So many random executions.
    Random(NonZeroU32),
}

/// What an exploration is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts {
    /// What decides what is explored from a node.
    pub(crate) engine: Engine,
    /// Two writes are ordered only if somebody observes what they leave.
    pub(crate) observers: bool,
    /// States are compared, and what leads to an explored one is left out.
    pub(crate) compares: bool,
    /// Steps that the program's constraints say commute are not ordered.
    pub(crate) constraints: bool,
}

impl Parts {
    const fn of(engine: Engine) -> Self {
        Self { engine, observers: false, compares: false, constraints: false }
    }

    const fn observing(self) -> Self {
        Self { observers: true, ..self }
    }

    const fn comparing(self) -> Self {
        Self { compares: true, ..self }
    }

    const fn constrained(self) -> Self {
        Self { constraints: true, ..self }
    }

    /// The same without comparing states; then constraints have no use, either.
    pub(crate) fn without_comparing(self) -> Self {
        Self { compares: false, constraints: false, ..self }
    }

    /// Why a machine does not allow for these parts, and what remains then.
    fn refused(self, machine: &Capabilities) -> Option<(Self, Reason)> {
        if machine.data_races && (self.compares || self.constraints) {
            return Some((self.without_comparing(), Reason::DataRaces));
        }
        if self.constraints && !machine.constraints {
            // Over source sets, states are compared only where constraints leave that open.
            let compares = self.compares && self.engine != Engine::Sources;
            return Some((Self { compares, constraints: false, ..self }, Reason::NoConstraints));
        }
        None
    }
}

impl Algorithm {
    /// All that can be relied on, weakest first; of those with a parameter the strongest.
    pub const ALL: [Algorithm; 12] = [
        Algorithm::None,
        Algorithm::Dpor,
        Algorithm::Source,
        Algorithm::Optimal,
        Algorithm::Observers,
        Algorithm::Cs,
        Algorithm::OptimalCs,
        Algorithm::OptimalCsObservers,
        Algorithm::Constrained,
        Algorithm::OptimalConstrained,
        Algorithm::OptimalConstrainedObservers,
        Algorithm::QuasiOptimal,
    ];

    /// The one that explores every interleaving.
    pub const UNREDUCED: Algorithm = Algorithm::None;

    /// Those that make use of independence constraints.
    pub const CONSTRAINED: [Algorithm; 3] =
        [Algorithm::Constrained, Algorithm::OptimalConstrained, Algorithm::OptimalConstrainedObservers];

    /// Its name, without a parameter, and what it is made of on a machine that allows for all of
    /// it.
    fn row(self) -> (&'static str, Parts) {
        use Engine::{Everything, Persistent, Random, Sources, Unfolding, WakeupTrees};
        let optimal = Parts::of(WakeupTrees);
        match self {
            Algorithm::None => ("none", Parts::of(Everything)),
            Algorithm::Dpor => ("dpor", Parts::of(Persistent)),
            Algorithm::Source => ("source", Parts::of(Sources)),
            Algorithm::Optimal => ("optimal", optimal),
            Algorithm::Observers => ("observers", optimal.observing()),
            Algorithm::Cs => ("cs", Parts::of(Sources).comparing()),
            Algorithm::OptimalCs => ("optimal-cs", optimal.comparing()),
            Algorithm::OptimalCsObservers => ("optimal-cs-observers", optimal.comparing().observing()),
            Algorithm::Constrained => ("constrained", Parts::of(Sources).comparing().constrained()),
            Algorithm::OptimalConstrained => ("optimal-constrained", optimal.comparing().constrained()),
            Algorithm::OptimalConstrainedObservers => {
                ("optimal-constrained-observers", optimal.comparing().observing().constrained())
            }
            Algorithm::Quasi(width) => ("quasi", Parts::of(Unfolding(Some(width)))),
            Algorithm::QuasiOptimal => ("quasi:optimal", Parts::of(Unfolding(None))),
            Algorithm::Random(executions) => ("random", Parts::of(Random(executions))),
        }
    }

    /// The one for a program, where nobody names one: of those that no random program contradicts,
    /// the one that leaves out most.
    /// - Where data races are looked for, every order of dependent steps is needed.
    /// - Who declares when steps commute wants that to be used.
    /// - `optimal-cs-observers` leaves out more than all others, and goes on without comparing
    ///   states where that does not pay.
    pub fn auto(data_races: bool, declares_constraints: bool) -> Self {
        match (data_races, declares_constraints) {
            (true, _) => Algorithm::Optimal,
            (false, true) => Algorithm::OptimalConstrainedObservers,
            (false, false) => Algorithm::OptimalCsObservers,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> Cow<'static, str> {
        let (name, _) = self.row();
        match self {
            Algorithm::Quasi(number) | Algorithm::Random(number) => Cow::Owned(format!("{name}:{number}")),
            _ => Cow::Borrowed(name),
        }
    }

    fn parts(self) -> Parts {
        self.row().1
    }

    /// `quasi:K`, `random:N`.
    fn with_parameter(name: &str) -> Option<Self> {
        let (name, parameter) = name.split_once(':')?;
        // One way to write a number: `quasi:01` and `quasi:+1` are no names.
        let number = parameter.parse().ok().filter(|number: &NonZeroU32| number.to_string() == parameter)?;
        let all = [Algorithm::Quasi(number), Algorithm::Random(number)];
        all.into_iter().find(|algorithm| algorithm.row().0 == name)
    }

    /// Whether it explores at least one execution of each trace; the others leave out traces that
    /// lead to the same states.
    pub fn explores_every_trace(self) -> bool {
        let Parts { observers, compares, .. } = self.parts();
        !observers && !compares && !self.is_random()
    }

    /// What it is where nothing is known about when steps commute.
    pub fn without_constraints(self) -> Self {
        Plan::new(self, &Capabilities::default()).taken()
    }

    /// Whether it makes use of independence constraints.
    pub fn uses_constraints(self) -> bool {
        self.parts().constraints
    }

    /// Whether it leaves out traces that lead to the same states.
    pub fn compares_states(self) -> bool {
        self.parts().compares
    }

    /// Whether two writes that nobody observes are in no order: then states are the same only as
    /// far as they are observed.
    pub fn counts_observers(self) -> bool {
        self.parts().observers
    }

    /// Whether it explores the unfolding.
    pub fn unfolds(self) -> bool {
        matches!(self.parts().engine, Engine::Unfolding(_))
    }

    /// Whether it runs random executions, and proves nothing.
    pub fn is_random(self) -> bool {
        matches!(self.parts().engine, Engine::Random(_))
    }

    /// Whether it explores every interleaving, and so relies on no relation between steps.
    pub fn counts_interleavings(self) -> bool {
        self.parts().engine == Engine::Everything
    }

    /// Whether several workers can explore by it: see
    /// [`explore_parallel`](crate::explore_parallel).
    pub fn is_divisible(self) -> bool {
        let engines = [Engine::Everything, Engine::Persistent, Engine::Sources, Engine::WakeupTrees];
        engines.map(Parts::of).contains(&self.parts())
    }

    /// Whether its name has a parameter.
    pub fn has_parameter(self) -> bool {
        matches!(self, Algorithm::Quasi(_) | Algorithm::Random(_))
    }

    /// What it explores, to follow "explored".
    pub fn explored(self) -> &'static str {
        let Parts { engine, observers, compares, .. } = self.parts();
        match (engine, observers, compares) {
            (Engine::Everything, ..) => "every interleaving",
            (Engine::Random(_), ..) => "random executions",
            (_, true, true) => {
                "one execution per trace that somebody observes, skipping traces that reach an explored state"
            }
            (_, true, false) => "one execution per trace, up to the order of writes that nobody observes",
            (_, false, true) => "one execution per trace, skipping traces that reach an explored state",
            (Engine::WakeupTrees | Engine::Unfolding(None), ..) => "one execution per trace",
            (Engine::Persistent | Engine::Sources | Engine::Unfolding(Some(_)), ..) => {
                "at least one execution per trace"
            }
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        named.or_else(|| Self::with_parameter(name)).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|algorithm| algorithm.name()).collect();
            let names = names.join(", ");
            format!(
                "there is no algorithm `{name}`; there are {names}, and quasi:K and random:N with K, N = 1, 2, 3, …"
            )
        })
    }
}

/// What a machine allows for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capabilities {
    /// It looks for data races. Which accesses are ordered, and so what is a data race, differs
    /// between executions that lead to the same state: no execution may be left out for its state.
    pub data_races: bool,
    /// It knows something about when steps commute.
    pub constraints: bool,
}

impl Capabilities {
    /// Those of a machine.
    pub fn of(machine: &impl Run) -> Self {
        Self { data_races: machine.detects_data_races(), constraints: machine.has_constraints() }
    }
}

/// Why an exploration is not what its algorithm says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// What is a data race depends on the order of steps, not on states.
    DataRaces,
    /// Nothing is known about when steps commute.
    NoConstraints,
    /// Integers were too large for what is known about when steps commute.
    LargeIntegers,
    /// Comparing states did not pay: it had not come to an end after so many explorations.
    Unprofitable(u64),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::DataRaces => f.write_str("what is a data race depends on the order"),
            Reason::NoConstraints => f.write_str("nothing is known about when steps commute"),
            Reason::LargeIntegers => f.write_str("integers were too large for what is known about when steps commute"),
            Reason::Unprofitable(explorations) => {
                let s = if explorations == 1 { "" } else { "s" };
                write!(f, "comparing states had not come to an end after {explorations} exploration{s}")
            }
        }
    }
}

/// What an algorithm amounts to on a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    asked: Algorithm,
    parts: Parts,
    reason: Option<Reason>,
}

impl Plan {
    /// What `asked` amounts to on a machine with these capabilities.
    pub fn new(asked: Algorithm, machine: &Capabilities) -> Self {
        let parts = asked.parts();
        match parts.refused(machine) {
            Some((parts, reason)) => Self { asked, parts, reason: Some(reason) },
            None => Self { asked, parts, reason: None },
        }
    }

    /// What runs.
    pub(crate) fn parts(&self) -> Parts {
        self.parts
    }

    /// The same without comparing states: what `optimal-cs-observers` takes turns with.
    pub(crate) fn without_comparing(self) -> Self {
        Self { parts: self.parts.without_comparing(), ..self }
    }

    /// The same without constraints: integers are too large for them.
    pub(crate) fn without_constraints(self) -> Self {
        let parts = Parts { constraints: false, ..self.parts };
        Self { parts, reason: Some(Reason::LargeIntegers), ..self }
    }

    /// What it came to in the end, as the outcome tells.
    pub fn after(self, outcome: &Outcome) -> Self {
        let plan = if outcome.unconstrained { self.without_constraints() } else { self };
        match outcome.uncompared {
            Some(explorations) => {
                let reason = Some(Reason::Unprofitable(explorations));
                Self { parts: plan.parts.without_comparing(), reason, ..plan }
            }
            None => plan,
        }
    }

    /// The algorithm that was requested.
    pub fn asked(&self) -> Algorithm {
        self.asked
    }

    /// The algorithm that runs.
    pub fn taken(&self) -> Algorithm {
        let by_parts = Algorithm::ALL.into_iter().find(|algorithm| algorithm.parts() == self.parts);
        by_parts.unwrap_or(self.asked)
    }

    /// Why that is another one than was requested, if it is.
    pub fn reason(&self) -> Option<Reason> {
        self.reason
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, reason, .. } = self;
        let taken = self.taken();
        match reason {
            None => write!(f, "{asked}"),
            Some(reason @ (Reason::DataRaces | Reason::NoConstraints)) => write!(f, "{asked}, as {taken}: {reason}"),
            Some(reason) => write!(f, "{asked}, in the end as {taken}: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYTHING: Capabilities = Capabilities { data_races: false, constraints: true };
    const NOTHING: Capabilities = Capabilities { data_races: false, constraints: false };
    const RACES: Capabilities = Capabilities { data_races: true, constraints: false };

    fn all() -> Vec<Algorithm> {
        let with_parameter = NonZeroU32::new(2).map(|two| [Algorithm::Quasi(two), Algorithm::Random(two)]);
        Algorithm::ALL.into_iter().chain(with_parameter.into_iter().flatten()).collect()
    }

    #[test]
    fn names_lead_back_to_algorithms() {
        for algorithm in all() {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        assert!(
            ["quasi", "quasi:0", "random", "random:0", "optimal:1", "quasi:01", "quasi:+1", "Optimal", ""]
                .iter()
                .all(|name| { name.parse::<Algorithm>().is_err() })
        );
    }

    /// Parts have one name: so the name of a plan is that of what runs.
    #[test]
    fn no_two_algorithms_have_the_same_parts() {
        for (at, algorithm) in all().into_iter().enumerate() {
            assert!(all()[..at].iter().all(|other| other.parts() != algorithm.parts()), "{algorithm}");
        }
    }

    #[test]
    fn a_machine_that_allows_for_everything_runs_what_was_asked_for() {
        for algorithm in all() {
            let plan = Plan::new(algorithm, &EVERYTHING);
            assert_eq!((plan.taken(), plan.reason(), plan.to_string()), (algorithm, None, algorithm.to_string()));
        }
    }

    /// Whatever runs, its plan on the same machine is itself: a name never stands for other parts.
    #[test]
    fn what_is_taken_is_allowed() {
        for machine in [EVERYTHING, NOTHING, RACES, Capabilities { constraints: true, ..RACES }] {
            for algorithm in all() {
                let plan = Plan::new(algorithm, &machine);
                let again = Plan::new(plan.taken(), &machine);
                assert_eq!((again.taken(), again.reason()), (plan.taken(), None), "{plan}");
                assert_eq!(again.parts(), plan.parts());
                assert_eq!(plan.reason().is_some(), plan.taken() != algorithm);
            }
        }
    }

    #[test]
    fn what_is_refused_is_said() {
        let said = |algorithm, machine| Plan::new(algorithm, &machine).to_string();
        let nothing = "nothing is known about when steps commute";
        assert_eq!(said(Algorithm::Constrained, NOTHING), format!("constrained, as source: {nothing}"));
        assert_eq!(
            said(Algorithm::OptimalConstrainedObservers, NOTHING),
            format!("optimal-constrained-observers, as optimal-cs-observers: {nothing}")
        );
        let races = "what is a data race depends on the order";
        assert_eq!(said(Algorithm::Constrained, RACES), format!("constrained, as source: {races}"));
        assert_eq!(said(Algorithm::OptimalCsObservers, RACES), format!("optimal-cs-observers, as observers: {races}"));
    }

    #[test]
    fn what_it_came_to_is_said() {
        let after = |algorithm, outcome| Plan::new(algorithm, &EVERYTHING).after(&outcome).to_string();
        let unconstrained = Outcome { unconstrained: true, ..Outcome::default() };
        assert!(after(Algorithm::Constrained, unconstrained).starts_with("constrained, in the end as cs: integers"));
        let uncompared = Outcome { uncompared: Some(1), ..Outcome::default() };
        assert_eq!(
            after(Algorithm::OptimalCsObservers, uncompared),
            "optimal-cs-observers, in the end as observers: comparing states had not come to an end after 1 exploration"
        );
    }
}
