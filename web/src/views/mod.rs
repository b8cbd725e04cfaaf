//! What is seen.
//!
//! *Belongs here:* components. One folder a panel; what is common lies in `shared`. Components
//! take what they show as properties and say what the person did; only [`App`] knows the engine.
//! *Does not:* anything that can be computed without Yew. *May use:* everything but `worker`.

mod acts;
mod app;
mod banners;
mod check;
mod disk_map;
mod drop;
mod export;
mod files;
mod free_space;
mod groups;
mod hex;
mod inspector;
mod jump;
mod landing;
mod learn;
mod open;
mod shared;
mod shell;
mod shrink;
mod superblock;

pub use app::App;
