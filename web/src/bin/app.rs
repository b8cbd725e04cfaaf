//! Starts the page.

use extscope_web::views::App;

fn main() {
    yew::Renderer::<App>::new().render();
}
