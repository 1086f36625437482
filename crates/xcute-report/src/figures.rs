//! Figures that only some languages have: numbers with names, in the order in which a front end gives them.
//!
//! They are part of the summary, next to the fields that all languages have.
//!
//! **Invariant.** What is written is read back in the same order; what is not a figure is left out when a summary is read.

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ratio::Ratio;

/// Named figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures(Vec<(String, Figure)>);

/// A figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// How many.
    Count(u64),
    /// How many of how many.
    Ratio(Ratio),
    /// Several that belong together.
    Group(Figures),
}

impl Figures {
    /// These figures under one name.
    #[must_use]
    pub fn group(name: &str, figures: impl IntoIterator<Item = (&'static str, Figure)>) -> Figures {
        let inner = figures.into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect();
        Figures(vec![(name.to_owned(), Figure::Group(Figures(inner)))])
    }

    /// The figures under a name.
    #[must_use]
    pub fn within(&self, name: &str) -> Option<&Figures> {
        match self.get(name)? {
            Figure::Group(figures) => Some(figures),
            _ => None,
        }
    }

    /// A number; 0 where there is none of this name.
    #[must_use]
    pub fn count(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(Figure::Count(count)) => *count,
            _ => 0,
        }
    }

    /// A ratio; none of none where there is none of this name.
    #[must_use]
    pub fn ratio(&self, name: &str) -> Ratio {
        match self.get(name) {
            Some(Figure::Ratio(ratio)) => *ratio,
            _ => Ratio::default(),
        }
    }

    fn get(&self, name: &str) -> Option<&Figure> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, figure)| figure)
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, figure)| (name, figure)))
    }
}

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Figures, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

/// A figure, or what somebody else put there.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Figure(Figure),
    Other(IgnoredAny),
}

impl<'de> Visitor<'de> for Reader {
    type Value = Figures;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("figures by name")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Figures, M::Error> {
        let mut figures = Vec::new();
        while let Some((name, entry)) = map.next_entry()? {
            match entry {
                Entry::Figure(figure) => figures.push((name, figure)),
                Entry::Other(IgnoredAny) => {}
            }
        }
        Ok(Figures(figures))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Around {
        first: u64,
        #[serde(flatten)]
        own: Figures,
        last: f64,
    }

    #[test]
    fn figures_are_read_as_they_were_written() {
        let inner = [("z", Figure::Ratio(Ratio { covered: 1, total: 2 })), ("a", Figure::Count(3))];
        let around = Around { first: 1, own: Figures::group("own", inner), last: 0.5 };
        let text = serde_json::to_string(&around).expect("plain data");
        assert_eq!(text, r#"{"first":1,"own":{"z":{"covered":1,"total":2},"a":3},"last":0.5}"#);
        assert_eq!(serde_json::from_str::<Around>(&text).expect("it was written"), around);
        let own = around.own.within("own").expect("it is there");
        assert_eq!((own.ratio("z").covered, own.count("a"), own.count("z"), own.within("a")), (1, 3, 0, None));
    }

    #[test]
    fn what_is_not_a_figure_is_left_out() {
        let text = r#"{"first":1,"text":"x","list":[1],"last":0.5}"#;
        assert_eq!(serde_json::from_str::<Around>(text).expect("fields are there").own, Figures::default());
    }
}
