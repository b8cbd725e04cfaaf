//! Messages to bytes and back.

use core::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A message that does not say what a message of its type says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMessage(String);

impl fmt::Display for BadMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message between the page and its worker made no sense: {}", self.0)
    }
}

impl core::error::Error for BadMessage {}

/// The bytes of a message.
///
/// # Errors
/// [`BadMessage`] when a value has no form as bytes; none of this protocol's has that fault.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, BadMessage> {
    encode_sized(message, 0)
}

/// The bytes of a message that has about `len` of them: a large one would otherwise be held twice
/// while its buffer grows.
///
/// # Errors
/// Those of [`encode`].
pub fn encode_sized<T: Serialize>(message: &T, len: usize) -> Result<Vec<u8>, BadMessage> {
    let mut serializer = minicbor_serde::Serializer::new(Vec::with_capacity(len));
    message.serialize(&mut serializer).map_err(|error| BadMessage(error.to_string()))?;
    Ok(serializer.into_encoder().into_writer())
}

/// The message that `bytes` are.
///
/// # Errors
/// [`BadMessage`] when they are none.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadMessage> {
    minicbor_serde::from_slice(bytes).map_err(|error| BadMessage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::{
        Epoch, GroupColumns, GroupRow, Reply, ReplyMessage, RequestId, RequestMessage, testing,
    };

    proptest! {
        #[test]
        fn any_bytes_are_a_message_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = decode::<RequestMessage>(&bytes);
            let _ = decode::<ReplyMessage>(&bytes);
        }
    }

    #[test]
    fn the_groups_of_an_image_travel_in_a_buffer_that_did_not_grow() {
        let mut opened = testing::opened(1);
        let rows = core::iter::repeat_n(GroupRow::default(), 100_000);
        opened.groups = GroupColumns::from_rows(rows).into();
        let reply = Reply::Opened(Box::new(opened));
        let message = ReplyMessage { epoch: Epoch::FIRST, id: RequestId::default(), reply };
        let len = message.about_len();
        let bytes = encode_sized(&message, len).expect("encodes");
        assert!((len / 20 * 19..=len).contains(&bytes.len()), "{len} for {}", bytes.len());
    }

    #[test]
    fn a_wrong_message_says_so() {
        let error = decode::<RequestMessage>(&[0xf6]).expect_err("null is no request");
        assert!(error.to_string().starts_with("a message between the page and its worker"));
    }
}
