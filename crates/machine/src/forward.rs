//! Machines that wrap another one.

/// Forwards methods of [`Run`](crate::Run), or of another trait of machines, to a field.
///
/// ```ignore
/// impl<R: Run> Run for Wrapper<R> {
///     forward! { inner:
///         fn live(&self) -> &ProcessSet;
///         fn is_enabled(&mut self, process: ProcessId) -> bool;
///     }
/// }
/// ```
///
/// Methods with defaults are easily forgotten. So each `impl` that forwards has the lint
/// `clippy::missing_trait_methods`, which complains about those that are not there.
#[macro_export]
macro_rules! forward {
    ($inner:ident:) => {};
    ($inner:ident: fn $name:ident(&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?; $($rest:tt)*) => {
        #[inline]
        fn $name(&self $(, $argument: $type)*) $(-> $result)? {
            self.$inner.$name($($argument),*)
        }

        $crate::forward! { $inner: $($rest)* }
    };
    ($inner:ident: fn $name:ident(&mut self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?; $($rest:tt)*) => {
        #[inline]
        fn $name(&mut self $(, $argument: $type)*) $(-> $result)? {
            self.$inner.$name($($argument),*)
        }

        $crate::forward! { $inner: $($rest)* }
    };
}

/// Forwards what a machine is asked, and not what it is made to do, to a field.
#[macro_export]
macro_rules! forward_questions {
    ($inner:ident) => {
        $crate::forward! { $inner:
            fn live(&self) -> &ProcessSet;
            fn is_enabled(&mut self, process: ProcessId) -> bool;
            fn at_local(&self) -> Option<ProcessId>;
            fn pending(&self, process: ProcessId) -> SiteId;
            fn disabled_step(&mut self, process: ProcessId, event: &mut Event);
            fn holder(&mut self, process: ProcessId) -> Option<ProcessId>;
            fn keepers(&mut self, process: ProcessId) -> Vec<ProcessId>;
            fn spins(&self, process: ProcessId) -> bool;
            fn standstill(&mut self) -> Option<FaultKind>;
            fn reconsiders(&mut self) -> bool;
            fn assume_nothing(&mut self);
            fn assumes(&self, process: ProcessId) -> bool;
            fn observe(&mut self);
            fn compare(&mut self);
            fn is_told_by_name(&self, process: ProcessId) -> bool;
            fn digest(&mut self) -> Digest;
            fn local_digest(&mut self) -> Digest;
            fn shape(&mut self) -> Digest;
            fn named_digest(&mut self) -> Digest;
        }
    };
}

/// Forwards all of [`Constraints`](crate::Constraints) to a field.
#[macro_export]
macro_rules! forward_constraints {
    ($inner:ident) => {
        $crate::forward! { $inner:
            fn has_constraints(&self) -> bool;
            fn constrained(&self, one: SiteId, other: SiteId) -> Constrained;
            fn independence(&mut self, one: ProcessId, other: ProcessId) -> Independence;
            fn reasons(&self, locations: &mut Vec<LocationId>);
            fn others_may_write(&self, one: ProcessId, other: ProcessId, location: LocationId) -> bool;
            fn others_may_interfere(
                &self,
                process: ProcessId,
                accesses: &[(LocationId, mazurka_trace::AccessKind)]
            ) -> bool;
            fn magnitude(&self, process: ProcessId) -> u64;
            fn has_large_integers(&self) -> bool;
        }
    };
}
