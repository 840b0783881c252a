//! Deliberate breakages of machines, to see that the tests notice.

/// Declares the breakages of a crate: the type `Mutation`, its list `ALL`, and `on`, which tells
/// whether one is switched on. They are compiled in only with the crate's feature `mutations`,
/// which also has `set`; otherwise `on` is the constant `false`.
#[macro_export]
macro_rules! mutations {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A deliberate breakage.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Mutation {
            $($(#[$doc])* $name,)*
        }

        impl Mutation {
            /// All of them.
            pub const ALL: &'static [Mutation] = &[$(Mutation::$name,)*];
        }

        #[cfg(feature = "mutations")]
        mod switch {
            use super::Mutation;
            use std::cell::Cell;

            thread_local! {
                static ACTIVE: Cell<Option<Mutation>> = const { Cell::new(None) };
            }

            /// Switches a breakage on, for machines on this thread, or all off.
            pub fn set(mutation: Option<Mutation>) {
                ACTIVE.set(mutation);
            }

            pub(crate) fn on(mutation: Mutation) -> bool {
                ACTIVE.get() == Some(mutation)
            }
        }

        #[cfg(feature = "mutations")]
        pub use switch::set;

        #[cfg(feature = "mutations")]
        pub(crate) use switch::on;

        /// Whether a breakage is switched on.
        #[cfg(not(feature = "mutations"))]
        #[inline(always)]
        pub(crate) const fn on(_: Mutation) -> bool {
            false
        }
    };
}
