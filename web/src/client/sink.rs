//! Where the bytes of a file go: into parts of a `Blob`, which the browser keeps on its disk when
//! they are many, or straight into a file that the person named.

use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, FileSystemFileHandle, FileSystemWritableFileStream, window};

use super::ObjectUrl;
use super::port::said;

/// Bytes that are one part of a `Blob`.
const PART: usize = 4 << 20;

/// Where the bytes of a file go.
pub(super) enum Sink {
    /// Into a `Blob`.
    Blob(BlobSink),
    /// Into a file.
    File(FileSink),
}

/// Where they went.
pub(super) enum Saved {
    /// To the downloads; the browser may still be at it.
    Download(ObjectUrl),
    /// To the file that the person named.
    File,
}

impl Sink {
    /// Adds bytes.
    ///
    /// # Errors
    /// What the browser says.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        match self {
            Self::Blob(blob) => blob.write(bytes),
            Self::File(file) => file.write(bytes).await,
        }
    }

    /// Adds zeros.
    ///
    /// # Errors
    /// What the browser says.
    pub(super) fn skip(&mut self, zeros: u64) -> Result<(), String> {
        match self {
            Self::Blob(blob) => blob.skip(zeros),
            Self::File(file) => {
                file.at = file.at.saturating_add(zeros);
                Ok(())
            }
        }
    }

    /// Hands over what was added.
    ///
    /// # Errors
    /// What the browser says.
    pub(super) async fn finish(self, name: &str) -> Result<Saved, String> {
        match self {
            Self::Blob(blob) => {
                let url = blob.finish()?;
                url.save(name);
                Ok(Saved::Download(url))
            }
            Self::File(file) => file.finish().await.map(|()| Saved::File),
        }
    }

    /// Throws away what was added.
    pub(super) fn give_up(self) {
        if let Self::File(file) = self {
            // Nothing of it is in the file before the end.
            let _ = file.stream.abort();
        }
    }
}

/// Bytes gathered in the browser.
pub(super) struct BlobSink {
    parts: Array,
    /// What is not enough for a part yet.
    rest: Vec<u8>,
    zeros: Option<Blob>,
}

impl BlobSink {
    pub(super) fn new() -> Self {
        Self { parts: Array::new(), rest: Vec::new(), zeros: None }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.rest.extend(bytes);
        if self.rest.len() >= PART { self.end_part() } else { Ok(()) }
    }

    fn end_part(&mut self) -> Result<(), String> {
        if !self.rest.is_empty() {
            let part = blob(&Uint8Array::from(self.rest.as_slice()))?;
            self.parts.push(&part);
            self.rest.clear();
        }
        Ok(())
    }

    fn skip(&mut self, mut zeros: u64) -> Result<(), String> {
        self.end_part()?;
        let whole = match &self.zeros {
            Some(whole) => whole.clone(),
            None => blob(&Uint8Array::new_with_length(PART as u32))?,
        };
        while zeros >= PART as u64 {
            self.parts.push(&whole);
            zeros -= PART as u64;
        }
        let rest = whole.slice_with_i32_and_i32(0, zeros as i32).map_err(said)?;
        self.parts.push(&rest);
        self.zeros = Some(whole);
        Ok(())
    }

    fn finish(mut self) -> Result<ObjectUrl, String> {
        self.end_part()?;
        let whole = Blob::new_with_blob_sequence(&self.parts).map_err(said)?;
        ObjectUrl::new(&whole).ok_or_else(|| "there is no room for it".into())
    }
}

/// A `Blob` of bytes.
fn blob(bytes: &Uint8Array) -> Result<Blob, String> {
    Blob::new_with_u8_array_sequence(&Array::of1(bytes)).map_err(said)
}

/// A file that the person named. What is skipped is a hole where the disk knows holes.
pub(super) struct FileSink {
    stream: FileSystemWritableFileStream,
    at: u64,
    /// Where the stream stands.
    written: u64,
}

/// What came of asking for a file.
pub(super) enum Asked {
    /// The person named one.
    Named(FileSink),
    /// The person named none.
    Refused,
    /// The browser cannot ask, or cannot write.
    Unable,
}

impl FileSink {
    /// Asks the person for a file.
    pub(super) async fn ask(name: &str) -> Asked {
        let picked = match pick(name) {
            Some(picked) => JsFuture::from(picked).await,
            None => return Asked::Unable,
        };
        let handle = match picked {
            Ok(handle) => handle.unchecked_into::<FileSystemFileHandle>(),
            Err(why) if name_of(&why) == "AbortError" => return Asked::Refused,
            Err(_) => return Asked::Unable,
        };
        match JsFuture::from(handle.create_writable()).await {
            Ok(stream) => Asked::Named(Self { stream: stream.unchecked_into(), at: 0, written: 0 }),
            Err(_) => Asked::Unable,
        }
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        if self.at != self.written {
            settled(self.stream.seek_with_f64(self.at as f64)).await?;
        }
        settled(self.stream.write_with_js_u8_array(&Uint8Array::from(bytes))).await?;
        self.at = self.at.saturating_add(bytes.len() as u64);
        self.written = self.at;
        Ok(())
    }

    async fn finish(self) -> Result<(), String> {
        if self.at != self.written {
            settled(self.stream.truncate_with_f64(self.at as f64)).await?;
        }
        JsFuture::from(self.stream.close()).await.map(drop).map_err(said)
    }
}

/// Waits for what the browser promised.
async fn settled(promise: Result<Promise, JsValue>) -> Result<(), String> {
    JsFuture::from(promise.map_err(said)?).await.map(drop).map_err(said)
}

/// Has the browser ask for a file, where it can. Ref: `showSaveFilePicker`.
fn pick(name: &str) -> Option<Promise> {
    let window = window()?;
    let picker = Reflect::get(&window, &"showSaveFilePicker".into()).ok()?;
    let picker = picker.dyn_into::<Function>().ok()?;
    let options = Object::new();
    Reflect::set(&options, &"suggestedName".into(), &name.into()).ok()?;
    picker.call1(&window, &options).ok()?.dyn_into().ok()
}

fn name_of(error: &JsValue) -> String {
    let name = Reflect::get(error, &"name".into()).ok();
    name.and_then(|name| name.as_string()).unwrap_or_default()
}
