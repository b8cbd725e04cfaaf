//! What lies on the map side by side can be told apart, whatever colours an eye sees.

use extscope_picture::{Ink, Kind, Kinds, Layer, Look, Palette, Rgb, Theme};

/// How linear light looks to an eye. Ref: Machado, Oliveira and Fernandes 2009, severity 1.
const EYES: [(&str, [[f32; 3]; 3]); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// From there on two colours are told apart at a glance, in OKLab.
const APART: f32 = 0.085;
/// The same for shades of what is one kind.
const SHADES_APART: f32 = 0.06;
/// Least step in lightness between stops of a ramp, so that it survives print in grey.
const STEP: f32 = 0.03;

fn times(matrix: [[f32; 3]; 3], by: [f32; 3]) -> [f32; 3] {
    matrix.map(|row| row.iter().zip(by).map(|(a, b)| a * b).sum())
}

/// Lightness and two axes of colour. Ref: Ottosson 2020, OKLab.
fn oklab(light: [f32; 3]) -> [f32; 3] {
    let cones = times(
        [
            [0.412_221_47, 0.536_332_54, 0.051_445_99],
            [0.211_903_5, 0.680_699_5, 0.107_396_96],
            [0.088_302_46, 0.281_718_85, 0.629_978_7],
        ],
        light,
    );
    times(
        [
            [0.210_454_26, 0.793_617_8, -0.004_072_05],
            [1.977_998_5, -2.428_592_2, 0.450_593_7],
            [0.025_904_04, 0.782_771_77, -0.808_675_77],
        ],
        cones.map(f32::cbrt),
    )
}

fn seen(colour: Rgb, eye: [[f32; 3]; 3]) -> [f32; 3] {
    oklab(times(eye, colour.linear()).map(|light| light.clamp(0.0, 1.0)))
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

/// Fails where two of the colours look alike to some eye.
fn assert_apart(colours: &[(String, Rgb)], least: f32, what: &str) {
    for (eye, matrix) in EYES {
        for (at, (a, first)) in colours.iter().enumerate() {
            for (b, second) in &colours[at + 1..] {
                let apart = distance(seen(*first, matrix), seen(*second, matrix));
                assert!(apart >= least, "{what}, {eye}: {a} and {b} are {apart:.3} apart");
            }
        }
    }
}

fn looks() -> impl Iterator<Item = (Theme, Layer, Look)> {
    let themes = [Theme::Dark, Theme::Light].into_iter();
    themes.flat_map(|theme| {
        let look = move |layer| Look::new(Palette::of(theme), layer, Kinds::default());
        Layer::ALL.into_iter().map(move |layer| (theme, layer, look(layer)))
    })
}

#[test]
fn all_kinds_of_blocks_are_told_apart_by_every_eye() {
    for (theme, _, look) in looks().filter(|(_, layer, _)| *layer == Layer::Kind) {
        // What is in use is told without a kind, or with one; a problem by one colour and letters.
        let all = |without: [Kind; 2]| {
            let kinds = Kind::ALL.into_iter().filter(move |kind| !without.contains(kind));
            kinds
                .map(|kind| (format!("{kind:?}"), look.colour(Ink::kind(kind))))
                .collect::<Vec<_>>()
        };
        assert_apart(&all([Kind::Used, Kind::Unowned]), APART, &format!("{theme:?}, with owners"));
        assert_apart(&all([Kind::Data, Kind::Unowned]), APART, &format!("{theme:?}, without"));
        for ino in 0..100 {
            for (name, colour) in all([Kind::Used, Kind::Unowned]) {
                if name != "Data" {
                    let pair = [
                        ("a shade of data".to_owned(), look.colour(Ink::data(ino))),
                        (name, colour),
                    ];
                    assert_apart(&pair, SHADES_APART, &format!("{theme:?}"));
                }
            }
        }
    }
}

#[test]
fn all_colours_of_every_legend_are_told_apart_by_every_eye() {
    for (theme, layer, look) in looks() {
        let inks = layer.inks().iter().map(|(ink, name)| ((*name).to_owned(), look.colour(*ink)));
        assert_apart(&inks.collect::<Vec<_>>(), APART, &format!("{theme:?} {layer:?}"));
    }
}

#[test]
fn ramps_go_one_way_in_lightness_by_steps_that_are_seen() {
    for (theme, layer, look) in looks() {
        let Some(ramp) = layer.ramp(look.palette()) else { continue };
        let [normal, ..] = EYES;
        let lightness = [0, 51, 102, 153, 204, 255].map(|share| seen(ramp.at(share), normal.1)[0]);
        let sign = (lightness[5] - lightness[0]).signum();
        for pair in lightness.windows(2) {
            let step = (pair[1] - pair[0]) * sign;
            assert!(step >= STEP, "{theme:?} {layer:?}: {lightness:.2?}");
        }
    }
}

#[test]
fn letters_can_be_read_on_all_that_carries_one() {
    for theme in [Theme::Dark, Theme::Light] {
        let palette = Palette::of(theme);
        let look = Look::new(palette.clone(), Layer::Kind, Kinds::default());
        let kinds = Kind::ALL.into_iter().map(Ink::kind);
        let others =
            (0..100).map(Ink::data).chain([Ink::UNOWNED, Ink::CONTESTED, Ink::FAULTY, Ink::OWNER]);
        for ink in kinds.chain(others) {
            let on = look.colour(ink);
            let (a, b) = (on.luminance() + 0.05, palette.ink_on(on).luminance() + 0.05);
            assert!(a.max(b) / a.min(b) >= 4.5, "{theme:?} {ink:?}: {:.2}", a.max(b) / a.min(b));
        }
    }
}
