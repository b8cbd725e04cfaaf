//! Makes a leaf: every kernel instantiated where an instruction set is on.

/// A leaf's table of kernels.
///
/// Searches go by one vector and counts by another, each with its features; edges are found by
/// `edges.rs` or by `gather.rs`.
macro_rules! leaf {
    (
        $name:literal,
        search: $vector:ty, $search:tt,
        count: $counting:ty, $count:tt,
        edges: $edges:ident $(,)?
    ) => {
        /// The kernels of this instruction set, for a machine that has it.
        pub(super) static KERNELS: $crate::bitmap::kernel::Kernels = {
            use $crate::bitmap::Word;
            use $crate::bitmap::kernel::{Edges, Kernels, generic, leaf::enable};
            Kernels {
                name: $name,
                search_words: <$vector as $crate::bitmap::kernel::vector::Vector>::WORDS,
        count: enable!($count, generic::count::<$counting>, (words: &[Word]) -> u64),
                skip: enable!(
                    $search,
                    generic::skip::<$vector>,
                    (words: &[Word], uniform: u64) -> usize
                ),
                equal: enable!(
                    $search,
                    generic::equal::<$vector>,
                    (a: &[Word], b: &[Word]) -> usize
                ),
                compare: enable!(
                    $count,
                    generic::compare::<$counting>,
                    (a: &[Word], b: &[Word]) -> (usize, u64)
                ),
                pyramid: enable!(
                    $count,
                    generic::pyramid::<$counting>,
                    (words: &[Word], counts: &mut [u16]) -> ()
                ),
                edges: enable!(
                    $search,
                    $crate::bitmap::kernel::$edges::edges::<$vector>,
                    (words: &[Word], before: bool, out: &mut Edges) -> ()
                ),
        claim: enable!($search, generic::claim::<$vector>, (words: &mut [Word]) -> usize),
            }
        };

        #[cfg(test)]
        $crate::bitmap::kernel::testing::define_kernel_tests!(KERNELS);
    };
}

/// A kernel compiled with features on, as a function that can be called where they are not.
macro_rules! enable {
    ([$($feature:literal),*], $kernel:expr, ($($arg:ident: $type:ty),*) -> $output:ty) => {{
        $(#[target_feature(enable = $feature)])*
        #[allow(unused_unsafe, reason = "not every kernel needs instructions")]
        fn enabled($($arg: $type),*) -> $output {
            // SAFETY: the kernel is inlined here, where the instructions are on.
            unsafe { $kernel($($arg),*) }
        }
        #[allow(unused_unsafe, reason = "the portable leaf turns nothing on")]
        fn call($($arg: $type),*) -> $output {
            // SAFETY: the table is given out only where the machine has the instructions.
            unsafe { enabled($($arg),*) }
        }
        call
    }};
}

/// Wraps instructions of one machine that need only what a vector proves.
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
macro_rules! proven {
    ($expression:expr) => {
        // SAFETY: there is a vector, so the machine has its instructions.
        unsafe { $expression }
    };
}

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(super) use proven;
pub(super) use {enable, leaf};
