//! What is seen.
//!
//! *Belongs here:* components: what the state looks like, and which action a gesture is. *Does
//! not:* deciding, deriving, drawing pixels. *May use:* everything but `worker`.

mod app;

pub use app::App;
