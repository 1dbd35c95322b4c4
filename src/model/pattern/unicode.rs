//! Unicode properties by the names that Go 1.25 knows, in its Unicode version.
//!
//! The tables are those of the `regex` crate, cut down to Go's version; what case folding adds is
//! in `translate`.

/// Go's Unicode version, as a class of the `regex` crate.
pub(super) const KNOWN: &str = r"\p{age=15.0}";

/// A property of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    /// All code points.
    Any,
    /// All that Go's version assigns.
    Assigned,
    /// The first 128.
    Ascii,
    /// A general category, by its short name.
    Category(&'static str),
    /// A script.
    Script(&'static str),
}

/// Short and long names of the general categories; a long name that says less than Unicode's
/// (`Punct`) is an alias too.
const CATEGORIES: [(&str, &str); 38] = [
    ("C", "Other"),
    ("Cc", "Control"),
    ("Cf", "Format"),
    ("Cn", "Unassigned"),
    ("Co", "Privateuse"),
    ("Cs", "Surrogate"),
    ("L", "Letter"),
    ("LC", "Casedletter"),
    ("Ll", "Lowercaseletter"),
    ("Lm", "Modifierletter"),
    ("Lo", "Otherletter"),
    ("Lt", "Titlecaseletter"),
    ("Lu", "Uppercaseletter"),
    ("M", "Mark"),
    ("Mc", "Spacingmark"),
    ("Me", "Enclosingmark"),
    ("Mn", "Nonspacingmark"),
    ("N", "Number"),
    ("Nd", "Decimalnumber"),
    ("Nl", "Letternumber"),
    ("No", "Othernumber"),
    ("P", "Punctuation"),
    ("Pc", "Connectorpunctuation"),
    ("Pd", "Dashpunctuation"),
    ("Pe", "Closepunctuation"),
    ("Pf", "Finalpunctuation"),
    ("Pi", "Initialpunctuation"),
    ("Po", "Otherpunctuation"),
    ("Ps", "Openpunctuation"),
    ("S", "Symbol"),
    ("Sc", "Currencysymbol"),
    ("Sk", "Modifiersymbol"),
    ("Sm", "Mathsymbol"),
    ("So", "Othersymbol"),
    ("Z", "Separator"),
    ("Zl", "Lineseparator"),
    ("Zp", "Paragraphseparator"),
    ("Zs", "Spaceseparator"),
];

/// Further names of general categories.
const ALIASES: [(&str, &str); 5] = [
    ("Lc", "LC"),
    ("Cntrl", "Cc"),
    ("Combiningmark", "M"),
    ("Digit", "Nd"),
    ("Punct", "P"),
];

/// The scripts that Go 1.25 finds. It drops `_` before it looks a name up in a table that has it,
/// so no script whose name has two words is found.
const SCRIPTS: [&str; 117] = [
    "Adlam",
    "Ahom",
    "Arabic",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "Batak",
    "Bengali",
    "Bhaiksuki",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "Carian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Chorasmian",
    "Common",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Cyrillic",
    "Deseret",
    "Devanagari",
    "Dogra",
    "Duployan",
    "Elbasan",
    "Elymaic",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanunoo",
    "Hatran",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kawi",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Latin",
    "Lepcha",
    "Limbu",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Makasar",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Marchen",
    "Medefaidrin",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Multani",
    "Myanmar",
    "Nabataean",
    "Nandinagari",
    "Newa",
    "Nko",
    "Nushu",
    "Ogham",
    "Oriya",
    "Osage",
    "Osmanya",
    "Palmyrene",
    "Phoenician",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "Sinhala",
    "Sogdian",
    "Soyombo",
    "Sundanese",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Takri",
    "Tamil",
    "Tangsa",
    "Tangut",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Toto",
    "Ugaritic",
    "Vai",
    "Vithkuqi",
    "Wancho",
    "Yezidi",
    "Yi",
];

impl Property {
    /// The property that Go finds by this name, in any case, with or without `_`, `-` and blanks.
    pub(super) fn named(name: &str) -> Option<Property> {
        let name = canonical(name);
        match name.as_str() {
            "Any" => return Some(Property::Any),
            "Assigned" => return Some(Property::Assigned),
            "Ascii" => return Some(Property::Ascii),
            _ => {}
        }
        // `LC` is the one short name that is not written as names are looked up.
        let listed = CATEGORIES.iter().find(|row| row.0 == name || row.1 == name);
        if let Some(&(category, _)) = listed {
            return Some(Property::Category(category));
        }
        if let Ok(index) = SCRIPTS.binary_search(&name.as_str()) {
            return Some(Property::Script(SCRIPTS[index]));
        }
        ALIASES
            .iter()
            .find(|row| row.0 == name)
            .map(|&(_, category)| Property::Category(category))
    }

    /// The property as a class of the `regex` crate.
    pub(super) fn class(self) -> String {
        match self {
            Property::Any => r"[\x{0}-\x{10FFFF}]".to_owned(),
            Property::Ascii => r"[\x00-\x7F]".to_owned(),
            Property::Assigned => format!(r"[{KNOWN}&&\P{{gc=Cn}}]"),
            Property::Category("Cn") => format!("[^{}]", Property::Assigned.class()),
            Property::Category("C") => format!(r"[\p{{gc=C}}[^{KNOWN}]]"),
            // The one character whose category changed after Unicode 15.0.
            Property::Category("Mc") => format!(r"[[\p{{gc=Mc}}--\x{{1171E}}]&&{KNOWN}]"),
            Property::Category("Mn") => format!(r"[[\p{{gc=Mn}}\x{{1171E}}]&&{KNOWN}]"),
            // Surrogates, which no text has.
            Property::Category("Cs") => "[a&&b]".to_owned(),
            Property::Category(category) => format!(r"[\p{{gc={category}}}&&{KNOWN}]"),
            Property::Script(script) => format!(r"[\p{{sc={script}}}&&{KNOWN}]"),
        }
    }
}

/// A name as Go looks it up: first letter large, the others small, nothing between words.
fn canonical(name: &str) -> String {
    let mut letters = name
        .chars()
        .filter(|letter| !matches!(letter, '_' | '-' | ' '));
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first
        .into_iter()
        .chain(letters.map(|letter| letter.to_ascii_lowercase()))
        .collect()
}
