//! The page's side of the browser: workers, storage, the address bar, what is fetched.
//!
//! *Belongs here:* what an action asks of the world, and what the world answers as an action.
//! *Does not:* what to show. *May use:* `state`, `protocol`, and everything of the browser but a
//! canvas.

mod clipboard;
mod engine;
mod location;
mod object_url;
mod offline;
mod plan;
mod port;
mod sample;
mod saver;
mod settings;
mod silence;
mod sink;
mod tidings;
mod transfer;
mod use_engine;

pub use clipboard::copy;
pub use engine::Engine;
pub use location::reload;
pub use object_url::ObjectUrl;
pub use offline::{keep, load_newer};
pub use use_engine::use_engine;
