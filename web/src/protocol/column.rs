//! Columns of numbers that travel as one run of bytes.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, Range};

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A number that a column can hold.
pub trait Word: Copy + FromBytes + Immutable + IntoBytes {
    /// The number with its bytes in little-endian order, or back.
    #[must_use]
    fn little_endian(self) -> Self;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            fn little_endian(self) -> Self {
                self.to_le()
            }
        }
    )*};
}

word!(u8, u16, u32, u64);

/// One value for each block group, in the order of the groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<T>(Vec<T>);

impl<T: Word> Column<T> {
    /// The values of some groups; those past the last are left out.
    #[must_use]
    pub fn part(&self, groups: Range<usize>) -> Self {
        let end = groups.end.min(self.0.len());
        Self(self.0.get(groups.start..end).unwrap_or_default().to_vec())
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<T: Word> Serialize for Column<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if cfg!(target_endian = "little") {
            return serializer.serialize_bytes(self.0.as_bytes());
        }
        let words: Vec<T> = self.0.iter().map(|word| word.little_endian()).collect();
        serializer.serialize_bytes(words.as_bytes())
    }
}

impl<'de, T: Word> Deserialize<'de> for Column<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes<T>(PhantomData<T>);

        impl<T: Word> Visitor<'_> for Bytes<T> {
            type Value = Column<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a column")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                let mut words = vec![T::new_zeroed(); bytes.len() / size_of::<T>()];
                if size_of_val(words.as_slice()) != bytes.len() {
                    return Err(E::custom("a column ends within a number"));
                }
                // At once: word by word takes ten times as long.
                words.as_mut_bytes().copy_from_slice(bytes);
                words.iter_mut().for_each(|word| *word = word.little_endian());
                Ok(Column(words))
            }
        }

        deserializer.deserialize_bytes(Bytes(PhantomData)).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{decode, encode};

    #[test]
    fn a_column_arrives_as_it_was_sent() {
        let column: Column<u64> = [0, 1, u64::MAX].into_iter().collect();
        let bytes = encode(&column).expect("encodes");
        assert_eq!(decode(&bytes), Ok(column));
    }

    #[test]
    fn a_column_is_little_more_than_its_bytes() {
        let column: Column<u32> = (0..131_072).collect();
        let bytes = encode(&column).expect("encodes");
        assert!(bytes.len() <= 4 * 131_072 + 8);
    }

    #[test]
    fn a_column_cut_short_is_refused() {
        let bytes = encode(&Column::from(vec![1_u8, 2, 3])).expect("encodes");
        assert!(decode::<Column<u32>>(&bytes).is_err());
    }
}
