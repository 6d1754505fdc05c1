//! Why a text is no JSON.

use crate::scenario::mistake::Syntax;
use crate::text::Lang;

pub(super) fn syntax_error(lang: Lang, syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Empty => lang.pick("ファイルが空です。", "The file is empty."),
        Syntax::Comment => lang.pick("JSON にコメントは書けません。", "JSON has no comments."),
        Syntax::TrailingComma => {
            lang.pick("最後の要素の後ろに余分なカンマがあります。", "There is a comma behind the last entry.")
        }
        Syntax::MissingComma => lang.pick("カンマがありません。", "A comma is missing."),
        Syntax::MissingColon => {
            lang.pick("項目名の後ろにコロンがありません。", "A colon is missing behind the field's name.")
        }
        Syntax::MissingValue => lang.pick("値がありません。", "A value is missing."),
        Syntax::UnquotedName => {
            lang.pick("項目名は二重引用符で囲んでください。", "A field's name has to be in double quotes.")
        }
        Syntax::SingleQuotes => {
            lang.pick("引用符は二重引用符（\"）だけが使えます。", "Only double quotes (\") are allowed.")
        }
        Syntax::BadString => lang.pick(
            "文字列が閉じていないか、エスケープが正しくありません。",
            "The string is not closed, or has a wrong escape.",
        ),
        Syntax::BadNumber => lang.pick("JSON では使えない数の書き方です。", "JSON does not have numbers in this form."),
        Syntax::OpenObject => lang.pick("「{」が閉じていません。", "This \"{\" is not closed."),
        Syntax::OpenList => lang.pick("「[」が閉じていません。", "This \"[\" is not closed."),
        Syntax::MoreThanOneValue => {
            lang.pick("JSON が終わったあとに、まだ文字があります。", "There is more behind the end of the JSON value.")
        }
        Syntax::Unexpected => lang.pick("ここにこの文字は書けません。", "This character does not belong here."),
    }
}
