//! Starts the engine worker.

fn main() {
    extscope_web::worker::start();
}
