//! Work before the next frame, once, however often it was asked for: the last asked for is done.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};

/// A request for the next frame. Dropping the last clone takes it back.
#[derive(Clone, Default)]
pub struct Frame(Rc<RefCell<Waiting>>);

#[derive(Default)]
struct Waiting {
    work: Option<Box<dyn FnOnce()>>,
    frame: Option<AnimationFrame>,
}

impl Frame {
    /// Has `work` done before the next frame, in place of what waits for it.
    pub fn request(&self, work: impl FnOnce() + 'static) {
        let mut waiting = self.0.borrow_mut();
        waiting.work = Some(Box::new(work));
        if waiting.frame.is_some() {
            return;
        }
        let this = Rc::downgrade(&self.0);
        waiting.frame = Some(request_animation_frame(move |_| {
            let work = this.upgrade().and_then(|this| {
                let mut waiting = this.borrow_mut();
                drop(waiting.frame.take());
                waiting.work.take()
            });
            if let Some(work) = work {
                work();
            }
        }));
    }
}
