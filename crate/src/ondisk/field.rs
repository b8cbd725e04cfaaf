//! Where each field of a structure lies.

/// A field of an on-disk structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The kernel's name.
    pub name: &'static str,
    /// Bytes from the start of the structure.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
}

/// Size of the field that `_get` borrows.
pub(super) const fn size_behind<T, F>(_get: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// Lists the fields of a structure from the structure itself.
macro_rules! fields {
    ($structure:ty: $($name:ident)*) => {
        &[$($crate::ondisk::Field {
            name: stringify!($name),
            offset: core::mem::offset_of!($structure, $name),
            len: $crate::ondisk::field::size_behind(|it: &$structure| &it.$name),
        }),*]
    };
}
pub(super) use fields;
