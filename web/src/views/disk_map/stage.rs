//! The map behind its component: what is painted, asked for and moved between two renders.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use extscope_picture::Theme;
use gloo_timers::callback::Timeout;
use yew::Callback;

use crate::canvas::{Frame, MapPainter, now, palette, pixel_ratio, wants_stillness};
use crate::client::Engine;
use crate::protocol::{MapLook, MapTile, Request};
use crate::render::map_marks::{self, Margins, Marks};
use crate::render::map_view::MapView;
use crate::render::space::ViewPx;
use crate::state::{Known, MapPlace, MapStyle, Selection, Zoom};

/// Milliseconds without a move after which the address follows.
const SETTLED: u32 = 200;
/// Milliseconds between two repaints for what the bitmaps say, at least and at most.
const NEWS: (f64, f64) = (300.0, 1200.0);

/// The share of the time since the first news after which there is another repaint: each draws anew
/// what is near the news, and reading needs the processor too.
const RARER: f64 = 0.25;

/// Milliseconds in which tiles that know more than those before are painted together.
const SOON: u32 = 120;
/// Milliseconds that a zoom by a level takes.
const GLIDE: f64 = 220.0;

/// A zoom that goes on.
#[derive(Clone, Copy)]
struct Glide {
    from: MapView,
    to: MapView,
    begun: f64,
}

impl Glide {
    /// What is seen at a time, and whether that is the end.
    fn at(&self, now: f64) -> (MapView, bool) {
        let share = ((now - self.begun) / GLIDE).clamp(0.0, 1.0);
        let eased = 1.0 - (1.0 - share).powi(3);
        (self.from.on_the_way(&self.to, eased), share >= 1.0)
    }
}

/// What the map shows, as the component has it.
#[derive(Clone, PartialEq)]
pub(super) struct Scene {
    /// What is known of the image.
    pub known: Known,
    /// The theme.
    pub theme: Theme,
    /// What the colours say, and how blocks lie.
    pub style: MapStyle,
    /// Whether the kind of every block is known, and whose blocks are looked for.
    pub look: MapLook,
    /// Bytes that were read so far, where that is what the map shows.
    pub bytes_read: u64,
    /// Width and height of the map with its margins.
    pub size: (ViewPx, ViewPx),
}

/// The map behind its component. Clones are the same.
#[derive(Clone)]
pub(super) struct Stage(Rc<Inner>);

struct Inner {
    engine: Engine,
    painter: RefCell<MapPainter>,
    frame: Frame,
    scene: RefCell<Option<Scene>>,
    view: Cell<Option<MapView>>,
    glide: Cell<Option<Glide>>,
    margins: Cell<Margins>,
    marks: RefCell<Marks>,
    /// The zoom of the last frame: while it changes, tiles would be asked for in vain.
    last_zoom: Cell<Option<Zoom>>,
    last_order: Cell<u32>,
    /// The place that the address was told last.
    told: RefCell<MapPlace>,
    on_place: RefCell<Callback<MapView>>,
    settle: RefCell<Option<Timeout>>,
    /// What the tiles that were asked for last show.
    asked: RefCell<Option<(Known, u64)>>,
    news: RefCell<Option<Timeout>>,
    /// When there were news of this image first.
    first_news: Cell<Option<f64>>,
    soon: RefCell<Option<Timeout>>,
}

impl Stage {
    /// A map on its canvases.
    pub(super) fn new(engine: Engine, painter: MapPainter) -> Self {
        let stage = Self(Rc::new(Inner {
            engine: engine.clone(),
            painter: RefCell::new(painter),
            frame: Frame::default(),
            scene: RefCell::default(),
            view: Cell::default(),
            glide: Cell::default(),
            margins: Cell::default(),
            marks: RefCell::default(),
            last_zoom: Cell::default(),
            last_order: Cell::default(),
            told: RefCell::default(),
            on_place: RefCell::new(Callback::noop()),
            settle: RefCell::default(),
            asked: RefCell::default(),
            news: RefCell::default(),
            first_news: Cell::default(),
            soon: RefCell::default(),
        }));
        let weak = Rc::downgrade(&stage.0);
        engine.set_on_tile(Callback::from(move |tile: MapTile| {
            if let Some(inner) = weak.upgrade() {
                let is_new = inner.painter.borrow_mut().take(&tile);
                let stage = Self(inner);
                if is_new { stage.repaint() } else { stage.repaint_soon() }
            }
        }));
        stage
    }

    /// The part of the world that is seen.
    pub(super) fn view(&self) -> Option<MapView> {
        self.0.view.get()
    }

    /// A point of the well as one of the view.
    pub(super) fn inside(&self, (x, y): (ViewPx, ViewPx)) -> (ViewPx, ViewPx) {
        let margins = self.0.margins.get();
        (x - margins.left, y - margins.top)
    }

    /// A point of the view as one of the well.
    pub(super) fn outside(&self, (x, y): (ViewPx, ViewPx)) -> (ViewPx, ViewPx) {
        let margins = self.0.margins.get();
        (x + margins.left, y + margins.top)
    }

    /// Calls `on_place` once the map stands still.
    pub(super) fn set_on_place(&self, on_place: Callback<MapView>) {
        *self.0.on_place.borrow_mut() = on_place;
    }

    /// This is to be seen.
    pub(super) fn show(&self, scene: Scene) {
        let (width, height) = scene.size;
        if width < 1.0 || height < 1.0 {
            return;
        }
        let before = self.0.scene.replace(Some(scene.clone()));
        let is_same = |of: &Scene| {
            of.known.is_same_image(&scene.known)
                && (of.style.layout, of.size) == (scene.style.layout, scene.size)
        };
        let has_image = |of: &Scene| of.known.is_same_image(&scene.known);
        if !before.as_ref().is_some_and(has_image) {
            self.0.painter.borrow_mut().forget();
            *self.0.asked.borrow_mut() = None;
            self.0.first_news.set(None);
        }
        if !before.as_ref().is_some_and(is_same) || self.ratio_changed() {
            self.0.glide.set(None);
            let margins = Margins::of(&scene.known, width);
            self.0.margins.set(margins);
            let geometry = &scene.known.image().geometry;
            let inside = margins.inside(scene.size);
            let mut view = MapView::new(geometry, scene.style.layout, inside, pixel_ratio());
            let place = match self.0.view.get().filter(|_| before.as_ref().is_some_and(has_image)) {
                Some(view) => view.place(),
                None => self.0.told.borrow().clone(),
            };
            view.go(&place, self.0.marks.borrow().selection.as_ref());
            self.0.view.set(Some(view));
            self.settle();
        }
        // What the bitmaps say comes many times a second, and is painted when tiles follow it.
        let is_news = before.is_some_and(|before| {
            let Scene { known, bytes_read, .. } = scene.clone();
            before != scene && Scene { known, bytes_read, ..before } == scene
        });
        self.tell_news((scene.known, scene.bytes_read));
        if !is_news {
            self.repaint();
        }
    }

    fn ratio_changed(&self) -> bool {
        self.0.view.get().is_some_and(|view| view.ratio() != pixel_ratio())
    }

    /// Sees to it that tiles show what is known by now.
    fn tell_news(&self, known: (Known, u64)) {
        let asked = self.0.asked.borrow().clone();
        match asked {
            Some(asked) if asked == known => {}
            Some(_) if self.0.news.borrow().is_some() => {}
            Some(asked) => {
                let weak = Rc::downgrade(&self.0);
                let first = self.0.first_news.get().unwrap_or_else(now);
                self.0.first_news.set(Some(first));
                let wait = ((now() - first) * RARER).clamp(NEWS.0, NEWS.1);
                *self.0.news.borrow_mut() = Some(Timeout::new(wait as u32, move || {
                    let Some(inner) = weak.upgrade() else { return };
                    inner.news.take();
                    let scene = inner.scene.borrow().clone();
                    if let Some(Scene { known, bytes_read, .. }) = scene
                        && known.is_same_image(&asked.0)
                    {
                        let mut painter = inner.painter.borrow_mut();
                        if bytes_read == asked.1 {
                            painter.learn(known.changes(&asked.0));
                        } else {
                            painter.learn_all();
                        }
                        drop(painter);
                        *inner.asked.borrow_mut() = Some((known, bytes_read));
                        Self(inner).repaint();
                    }
                }));
            }
            None => *self.0.asked.borrow_mut() = Some(known),
        }
    }

    /// This is marked.
    pub(super) fn mark(&self, marks: Marks) {
        if *self.0.marks.borrow() != marks {
            *self.0.marks.borrow_mut() = marks;
            self.repaint();
        }
    }

    /// Goes where the address says, unless that is where the map said that it stands.
    pub(super) fn go(&self, place: &MapPlace, selection: Option<&Selection>) {
        if *self.0.told.borrow() == *place {
            return;
        }
        *self.0.told.borrow_mut() = place.clone();
        self.glide(|view| view.go(place, selection));
    }

    /// Changes what is seen, and shows the way there where the person wants to see motion.
    pub(super) fn glide(&self, change: impl FnOnce(&mut MapView)) {
        let Some(from) = self.0.view.get() else { return };
        let mut to = from;
        change(&mut to);
        if from.zoom() == to.zoom() || wants_stillness() {
            return self.change(|view| *view = to);
        }
        self.0.glide.set(Some(Glide { from, to, begun: now() }));
        self.repaint();
    }

    /// Moves the map.
    pub(super) fn change(&self, change: impl FnOnce(&mut MapView)) {
        self.0.glide.set(None);
        if let Some(mut view) = self.0.view.get() {
            change(&mut view);
            if self.0.view.replace(Some(view)) != Some(view) {
                self.settle();
                self.repaint();
            }
        }
    }

    /// Tells the address in a while.
    fn settle(&self) {
        let weak = Rc::downgrade(&self.0);
        *self.0.settle.borrow_mut() = Some(Timeout::new(SETTLED, move || {
            let Some(inner) = weak.upgrade() else { return };
            if let Some(view) = inner.view.get() {
                *inner.told.borrow_mut() = view.place();
                let on_place = inner.on_place.borrow().clone();
                on_place.emit(view);
            }
        }));
    }

    /// Paints in a while, together with what else comes until then: what is seen already only
    /// gets truer.
    fn repaint_soon(&self) {
        if self.0.soon.borrow().is_none() {
            let weak = Rc::downgrade(&self.0);
            *self.0.soon.borrow_mut() = Some(Timeout::new(SOON, move || {
                if let Some(inner) = weak.upgrade() {
                    inner.soon.take();
                    Self(inner).repaint();
                }
            }));
        }
    }

    /// Paints before the next frame.
    pub(super) fn repaint(&self) {
        let weak = Rc::downgrade(&self.0);
        self.0.frame.request(move || {
            if let Some(inner) = weak.upgrade() {
                Self(inner).paint();
            }
        });
    }

    fn paint(&self) {
        let inner = &*self.0;
        if let Some(glide) = inner.glide.get() {
            let (view, is_over) = glide.at(now());
            inner.view.set(Some(view));
            if is_over {
                inner.glide.set(None);
                self.settle();
            }
            self.repaint();
        }
        let (Some(view), Some(scene)) = (inner.view.get(), inner.scene.borrow().clone()) else {
            return;
        };
        let (palette, margins) = (palette(), inner.margins.get());
        let look = MapLook {
            layer: scene.style.layer,
            layout: scene.style.layout,
            theme: scene.theme,
            columns: view.world().columns(),
            ..scene.look
        };
        let mut painter = inner.painter.borrow_mut();
        painter.show(view, look, margins);
        let is_sketching = painter.sketch(&scene.known);
        let marks = inner.marks.borrow().clone();
        painter.paint(&palette, |view| {
            map_marks::draws(view, margins, &scene.known, &marks, &palette)
        });
        let is_zooming = inner.last_zoom.replace(Some(view.zoom())) != Some(view.zoom());
        if is_zooming || is_sketching {
            self.repaint();
        }
        if is_zooming {
            return;
        }
        let number = inner.last_order.get().wrapping_add(1);
        if let Some(order) = painter.order(number) {
            inner.last_order.set(number);
            inner.engine.ask(Request::Map(order));
        }
    }
}
