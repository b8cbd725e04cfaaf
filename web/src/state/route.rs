//! What is looked at, as the address bar holds it: `#/groups?sel=g:45`.

use core::fmt;
use std::rc::Rc;

use extscope::units::{Fsblk, Group, Ino};
use extscope_picture::{Kinds, Layer, Layout};

use super::{FileList, FilePath, LessonPlace, MapPlace, MapStyle, ProblemId, Selection};
use crate::protocol::Code;

/// The views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// All groups as a picture.
    #[default]
    Map,
    /// Directories and files.
    Files,
    /// All groups as a table.
    Groups,
    /// The superblock and the features.
    Superblock,
    /// The bytes of a block.
    Hex,
    /// How the free space is cut up.
    Free,
    /// How small it can get.
    Shrink,
    /// What does not add up.
    Check,
    /// How the tools scan bitmaps.
    Learn,
}

impl View {
    /// The views, in the order of the side bar.
    pub const ALL: [Self; 9] = [
        Self::Map,
        Self::Files,
        Self::Groups,
        Self::Superblock,
        Self::Hex,
        Self::Free,
        Self::Shrink,
        Self::Check,
        Self::Learn,
    ];

    /// The view's name in the address bar.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Files => "files",
            Self::Groups => "groups",
            Self::Superblock => "superblock",
            Self::Hex => "hex",
            Self::Free => "free",
            Self::Shrink => "shrink",
            Self::Check => "check",
            Self::Learn => "learn",
        }
    }
}

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// The view.
    pub view: View,
    /// What is selected; it may not exist. Key `sel`, or `g` for a group.
    pub selection: Option<Selection>,
    /// Where the map stands.
    pub map: MapPlace,
    /// What it shows.
    pub style: MapStyle,
    /// The chosen superblock field or feature, by its kernel name. Key `f`.
    pub field: Option<String>,
    /// Which files are listed. Key `list`.
    pub list: FileList,
    /// The file that is looked at, by its path; it may not exist. Key `p`.
    pub path: Option<FilePath>,
    /// The same by its inode, where no path led to it. Key `i`.
    pub ino: Option<Ino>,
    /// The block whose bytes are looked at; it may not exist. Key `b`.
    pub block: Option<Fsblk>,
    /// The byte of the image that is looked at, where it names the block or is in it. Key `@`.
    pub byte: Option<u64>,
    /// The size to come to, in blocks; it may be none that works. Key `t`.
    pub target: Option<u64>,
    /// The problem that is looked at; it may not have been found. Key `p`, which a path does not
    /// begin like, and `n`, counted from 1, where it is not the first of its code.
    pub problem: Option<ProblemId>,
    /// The recipe of the scenario that is open, as text; there may be no such scenario. Key
    /// `scenario`.
    pub scenario: Option<Rc<str>>,
    /// The lesson that is looked at.
    pub lesson: LessonPlace,
    /// Keys that mean nothing here, kept as they came.
    unknown: Vec<String>,
}

impl Route {
    /// The route that `hash` names. Unknown keys are kept; bad values, and a view that does not
    /// exist, are as if they were not there.
    #[must_use]
    pub fn parse(hash: &str) -> Self {
        let hash = hash.trim_start_matches('#').trim_start_matches('/');
        let (view, query) = hash.split_once('?').unwrap_or((hash, ""));
        let mut route = Self {
            view: View::ALL.into_iter().find(|known| known.slug() == view).unwrap_or_default(),
            ..Self::default()
        };
        let (mut code, mut number) = (None, None::<u32>);
        for part in query.split('&').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("sel", selection)) => route.selection = selection.parse().ok(),
                Some(("g", group)) => {
                    route.selection = group.parse().ok().map(Group::new).map(Selection::Group);
                }
                Some(("at", block)) => route.map.at = block.parse().ok().map(Fsblk::new),
                Some(("color", layer)) => {
                    route.style.layer = Layer::parse(layer).unwrap_or_default();
                }
                Some(("layout", layout)) => {
                    route.style.layout = Layout::parse(layout).unwrap_or_default();
                }
                Some(("off", kinds)) => route.style.hidden = Kinds::from_letters(kinds),
                None if part == "bits" => route.style.bits = true,
                Some(("s", zoom)) => route.map.zoom = zoom.parse().ok(),
                Some(("f", field)) if is_name(field) => route.field = Some(field.to_owned()),
                Some(("f", _)) => {}
                Some(("list", list)) => route.list = FileList::from_slug(list),
                Some(("p", name)) if name.starts_with("PR_") => {
                    code = Code::from_name(name);
                }
                Some(("t", blocks)) => route.target = blocks.parse().ok(),
                Some(("n", at)) => number = at.parse().ok(),
                Some(("p", path)) => route.path = FilePath::from_address(path),
                Some(("b", block)) => route.block = block.parse().ok().map(Fsblk::new),
                Some(("@", byte)) => route.byte = byte.parse().ok(),
                Some(("scenario", recipe)) => route.scenario = Some(recipe.into()),
                Some(("i", ino)) => route.ino = ino.parse().ok().map(Ino::new),
                Some((key, value)) if route.lesson.take(key, value) => {}
                _ => route.unknown.push(part.to_owned()),
            }
        }
        let at = number.unwrap_or(1).saturating_sub(1);
        route.problem = code.map(|code| ProblemId { code, at });
        route
    }

    /// The same place in another view.
    #[must_use]
    pub fn with_view(&self, view: View) -> Self {
        Self { view, ..self.clone() }
    }

    /// The same view with nothing selected.
    #[must_use]
    pub fn without_selection(&self) -> Self {
        Self {
            selection: None,
            map: MapPlace::default(),
            path: None,
            ino: None,
            block: None,
            byte: None,
            target: None,
            problem: None,
            lesson: LessonPlace { step: 0, ..self.lesson },
            ..self.clone()
        }
    }

    /// Whether `other` differs at most in where the map, the line of a shrink or a lesson stands: a
    /// step that is not worth a place among those that the back button leads to.
    #[must_use]
    pub fn is_same_but_for_the_map(&self, other: &Self) -> bool {
        let lesson = LessonPlace { step: self.lesson.step, ..other.lesson };
        *self == Self { map: self.map.clone(), target: self.target, lesson, ..other.clone() }
    }
}

/// Whether this can be a kernel name, which needs no escape in an address.
fn is_name(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-[]".contains(&b))
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#/{}", self.view.slug())?;
        let selection = self.selection.as_ref().map(|selection| format!("sel={selection}"));
        let at = self.map.at.map(|block| format!("at={block}"));
        let zoom = self.map.zoom.map(|zoom| format!("s={zoom}"));
        let field = self.field.as_ref().map(|field| format!("f={field}"));
        let list = self.list.is_of_survey().then(|| format!("list={}", self.list.slug()));
        let path = self.path.as_ref().map(|path| format!("p={path}"));
        let ino = self.ino.map(|ino| format!("i={ino}"));
        let block = self.block.map(|block| format!("b={block}"));
        let byte = self.byte.map(|byte| format!("@={byte}"));
        let style = self.style;
        let other = |is_other: bool, text: String| is_other.then_some(text);
        let layer = other(style.layer != Layer::default(), format!("color={}", style.layer.slug()));
        let layout =
            other(style.layout != Layout::default(), format!("layout={}", style.layout.slug()));
        let hidden = other(!style.hidden.is_empty(), format!("off={}", style.hidden.letters()));
        let bits = other(style.bits, "bits".to_owned());
        let map = [&layer, &layout, &hidden, &bits, &at, &zoom, &selection];
        let problem = self.problem.map(|problem| match problem.at {
            0 => format!("p={}", problem.code),
            at => format!("p={}&n={}", problem.code, u64::from(at) + 1),
        });
        let scenario = self.scenario.as_ref().map(|recipe| format!("scenario={recipe}"));
        let target = self.target.map(|blocks| format!("t={blocks}"));
        let others = [&scenario, &field, &list, &path, &ino, &block, &byte, &target, &problem];
        let own = map.into_iter().chain(others);
        let lesson: Vec<String> = self.lesson.keys().collect();
        let parts = own.flatten().chain(&lesson).chain(&self.unknown);
        for (part, separator) in parts.zip(core::iter::once('?').chain(core::iter::repeat('&'))) {
            write!(f, "{separator}{part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_route_survives_the_address_bar() {
        for hash in [
            "#/map",
            "#/groups?sel=g:45",
            "#/superblock?f=s_uuid",
            "#/map?at=9&s=12.20&sel=r:7-9&f=64bit&z=2",
            "#/map?color=occ&layout=hilbert&off=FT-&bits&at=7",
            "#/files?p=/a%20b/c",
            "#/files?i=12",
            "#/hex?@=8200",
            "#/files?list=scattered&i=12",
            "#/check?p=PR_1_BAD_I_SIZE",
            "#/shrink?t=5444352",
            "#/map?color=occ&scenario=half-full",
            "#/map?scenario=nothing",
            "#/check?scenario=size=1g,fill=40,files=1x4+8x1",
            "#/learn?way=words&cursor=1&w=inodes&step=131",
            "#/learn?sel=g:45&l=race&w=second",
            "#/learn?l=compare&compare=blocks&step=3",
            "#/learn?l=split&split=parts&workers=7&groups=67&fail=1&step=9",
            "#/learn?l=forms&fill=95",
            "#/learn?l=sheet&w=full&key=1",
            "#/learn?l=shrink&keep=70&image=1&step=40",
            "#/learn?l=passes&step=9&on=plain&flips=i20",
            "#/learn?l=lab&on=clusters&in=2&word=i3&flips=b4000.i8191&csums=0",
            "#/learn?l=load&groups=67&load=ahead&ask=around&flex=4&disk=0.100.500&gap=0&step=9",
            "#/check?p=/a&p=PR_5_BLOCK_UNUSED&n=7",
        ] {
            assert_eq!(Route::parse(hash).to_string(), hash);
        }
    }

    #[test]
    fn another_view_shows_the_same_place() {
        let route = Route::parse("#/map?g=1&f=64bit&z=2");
        assert_eq!(route.with_view(View::Groups).to_string(), "#/groups?sel=g:1&f=64bit&z=2");
    }

    #[test]
    fn only_a_move_of_the_map_is_no_step_to_go_back_to() {
        let route = Route::parse("#/map?at=9&s=1.000&sel=b:7");
        assert!(route.is_same_but_for_the_map(&Route::parse("#/map?at=8&sel=b:7")));
        assert!(!route.is_same_but_for_the_map(&Route::parse("#/map?at=9&s=1.000&sel=b:8")));
        assert!(!route.is_same_but_for_the_map(&Route::parse("#/groups?at=9&s=1.000&sel=b:7")));
    }

    #[test]
    fn what_makes_no_sense_is_ignored() {
        for hash in [
            "",
            "#",
            "#/",
            "#/nowhere",
            "#/map?g=-1",
            "#/map?sel=99999999999",
            "#/map?f=<b>",
            "#/map?p=PR_9&n=2",
            "#/map?l=nothing&way=&w=9&step=-1&cursor=2",
        ] {
            assert_eq!(Route::parse(hash), Route::default(), "{hash}");
        }
    }

    proptest! {
        #[test]
        fn any_hash_settles_at_once(hash in "[ -~]{0,40}") {
            let route = Route::parse(&hash);
            prop_assert_eq!(Route::parse(&route.to_string()), route);
        }
    }
}
