//! Text of a scenario: in both languages, or as it is.

use super::fields::TEXT;
use super::mistake::Type;
use super::reader::{Place, Reader};
use borsh::{BorshDeserialize, BorshSerialize};
use jsonc_parser::ast::Value;
use std::rc::Rc;

/// A text.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Localized {
    /// The same in every language.
    Plain(Rc<str>),
    /// In Japanese and in English.
    Both {
        /// Japanese.
        ja: Rc<str>,
        /// English.
        en: Rc<str>,
    },
}

impl Localized {
    /// The Japanese text.
    pub fn ja(&self) -> &Rc<str> {
        match self {
            Localized::Plain(text) | Localized::Both { ja: text, .. } => text,
        }
    }

    /// The English text.
    pub fn en(&self) -> &Rc<str> {
        match self {
            Localized::Plain(text) | Localized::Both { en: text, .. } => text,
        }
    }
}

pub(super) fn read<'t>(r: &mut Reader<'t>, place: Option<Place<'t>>) -> Option<Localized> {
    let place = place?;
    match place.value {
        Value::StringLit(text) => Some(Localized::Plain((*text.value).into())),
        Value::Object(_) => {
            let fields = r.object(Some(place), &TEXT)?;
            let ja = r.string(fields.get("ja"));
            let en = r.string(fields.get("en"));
            Some(Localized::Both { ja: ja?.into(), en: en?.into() })
        }
        _ => {
            r.wrong_type(&place, &[Type::String, Type::Object]);
            None
        }
    }
}
