//! What is wrong with a scenario file, and where a run differs from what its file expects.

mod contradiction;
mod difference;
mod syntax;

pub use difference::difference;

use super::Lang;
use crate::scenario::duration;
use crate::scenario::mistake::{Kind, Mistake, Problem, Type, Unit};
use crate::sim::{Span, Time};
use contradiction::contradicts;
use syntax::syntax_error;

/// A mistake: where in the file's structure, what is wrong, and what is allowed. Line and column are the caller's.
pub fn mistake(lang: Lang, mistake: &Mistake) -> String {
    at(&mistake.path, problem(lang, &mistake.problem))
}

fn at(path: &str, text: String) -> String {
    if path.is_empty() { text } else { format!("{path}: {text}") }
}

/// The same without where, for who sees it beside the value.
pub fn problem(lang: Lang, problem: &Problem) -> String {
    match problem {
        Problem::Syntax(syntax) => syntax_error(lang, *syntax).to_owned(),
        Problem::TooLarge { bytes, most } => lang.pick(
            format!("ファイルが大きすぎます。{bytes} バイトありますが、上限は {most} バイトです。"),
            format!("The file is too large: {bytes} bytes. The limit is {most} bytes."),
        ),
        Problem::TooDeep { most } => lang.pick(
            format!("入れ子が深すぎます。上限は {most} 段です。"),
            format!("Nested too deeply. The limit is {most} levels."),
        ),
        Problem::UnknownField { .. }
        | Problem::MissingField { .. }
        | Problem::DuplicateField { .. }
        | Problem::OneOfFields { .. } => field_problem(lang, problem),
        Problem::WrongType { expected, found } => wrong_type(lang, expected, *found),
        Problem::IsName { setting, kind } => lang.pick(
            format!("「{setting}」は settings には書きません。{}の「name」がそのまま {setting} になります。", kind_name(lang, *kind)),
            format!("\"{setting}\" does not stand in settings: the \"name\" of the {} is it.", kind_name(lang, *kind)),
        ),
        Problem::NotOneOf { .. } | Problem::NotModelled { .. } => word_problem(lang, problem),
        Problem::OutOfRange { found, least, most, unit } => out_of_range(lang, found, *least, *most, *unit),
        Problem::NotWhole { found } => lang.pick(
            format!("整数で書いてください。{found} は使えません。"),
            format!("Write a whole number. {found} is not allowed."),
        ),
        Problem::BadDuration { found } => lang.pick(
            format!("「{found}」は時間として読めません。\"5s\"、\"5.2s\"、\"500ms\"、\"1m30s\" のように書いてください。単位は d、h、m、s、ms、us です。"),
            format!("\"{found}\" is not a length of time. Write it as in \"5s\", \"5.2s\", \"500ms\" or \"1m30s\". Units: d, h, m, s, ms, us."),
        ),
        Problem::BadName { found, longest } => lang.pick(
            format!("「{found}」は名前に使えません。使えるのは英数字と「.」「_」「-」で、長さは 1 から {longest} 文字です。"),
            format!("\"{found}\" cannot be a name. Allowed are letters a-z and A-Z, digits, \".\", \"_\" and \"-\", 1 to {longest} of them."),
        ),
        Problem::DuplicateName { kind, name } => lang.pick(
            format!("「{name}」という{}がすでにあります。名前は重複できません。", kind_name(lang, *kind)),
            format!("There is already a {} \"{name}\". Names have to differ.", kind_name(lang, *kind)),
        ),
        Problem::NotThere { kind, name, exists, suggestion } => {
            not_there(lang, kind_name(lang, *kind), name, exists, suggestion.as_deref())
        }
        Problem::Contradiction(contradiction) => contradicts(lang, contradiction),
        Problem::More { count } => lang.pick(
            format!("このほかに {count} 件の誤りがあります。"),
            format!("There are {count} more mistakes."),
        ),
    }
}

fn field_problem(lang: Lang, problem: &Problem) -> String {
    match problem {
        Problem::UnknownField { field, allowed, suggestion } => {
            let allowed = list(lang, allowed);
            match suggestion {
                Some(meant) => lang.pick(
                    format!("「{field}」という項目はありません。「{meant}」のことでしょうか。使える項目: {allowed}"),
                    format!("There is no field \"{field}\". Did you mean \"{meant}\"? Fields: {allowed}"),
                ),
                None => lang.pick(
                    format!("「{field}」という項目はありません。使える項目: {allowed}"),
                    format!("There is no field \"{field}\". Fields: {allowed}"),
                ),
            }
        }
        Problem::MissingField { field } => {
            lang.pick(format!("「{field}」が必要です。"), format!("The field \"{field}\" is missing."))
        }
        Problem::DuplicateField { field, first_line } => lang.pick(
            format!("「{field}」が 2 回書かれています。最初は {first_line} 行目です。"),
            format!("\"{field}\" is there twice. The first one is in line {first_line}."),
        ),
        Problem::OneOfFields { fields, found: 0 } => {
            let fields = list(lang, fields);
            lang.pick(format!("次のいずれか 1 つが必要です: {fields}"), format!("One of these is needed: {fields}"))
        }
        Problem::OneOfFields { fields, .. } => {
            let fields = list(lang, fields);
            lang.pick(
                format!("次のうち、書けるのは 1 つだけです: {fields}"),
                format!("Only one of these may be there: {fields}"),
            )
        }
        _ => String::new(),
    }
}

fn wrong_type(lang: Lang, expected: &[Type], found: Type) -> String {
    let found = type_name(lang, found);
    let expected: Vec<&str> = expected.iter().map(|expected| type_name(lang, *expected)).collect();
    let expected = expected.join(lang.pick("か", " or "));
    lang.pick(
        format!("{expected}を書いてください。いまは{found}です。"),
        format!("This has to be {expected}, not {found}."),
    )
}

fn type_name(lang: Lang, of: Type) -> &'static str {
    match of {
        Type::Object => lang.pick("オブジェクト", "an object"),
        Type::List => lang.pick("配列", "a list"),
        Type::String => lang.pick("文字列", "a string"),
        Type::Number => lang.pick("数値", "a number"),
        Type::Boolean => lang.pick("真偽値（true か false）", "true or false"),
        Type::Null => lang.pick("null 値", "null"),
    }
}

fn word_problem(lang: Lang, problem: &Problem) -> String {
    match problem {
        Problem::NotOneOf { found, allowed, suggestion: Some(meant) } => {
            let allowed = list(lang, allowed);
            lang.pick(
                format!("「{found}」は使えません。「{meant}」のことでしょうか。使えるもの: {allowed}"),
                format!("\"{found}\" is not allowed. Did you mean \"{meant}\"? Allowed: {allowed}"),
            )
        }
        Problem::NotOneOf { found, allowed, suggestion: None } => {
            let allowed = list(lang, allowed);
            lang.pick(
                format!("「{found}」は使えません。使えるもの: {allowed}"),
                format!("\"{found}\" is not allowed. Allowed: {allowed}"),
            )
        }
        Problem::NotModelled { found, supported } => {
            let supported = list(lang, supported);
            lang.pick(
                format!("「{found}」は Kafka にはありますが、logstep ではまだ再現できません。使えるもの: {supported}"),
                format!("Kafka has \"{found}\", but logstep does not model it yet. Allowed: {supported}"),
            )
        }
        _ => String::new(),
    }
}

fn out_of_range(lang: Lang, found: &str, least: u64, most: u64, unit: Unit) -> String {
    match unit {
        Unit::Plain => lang.pick(
            format!("{least} から {most} までの数を書いてください。{found} は範囲の外です。"),
            format!("This has to be between {least} and {most}. {found} is not."),
        ),
        Unit::Signed => lang.pick(
            format!("-{most} から {most} までの数を書いてください。{found} は範囲の外です。"),
            format!("This has to be between -{most} and {most}. {found} is not."),
        ),
        Unit::Millis => lang.pick(
            format!("{least} から {most} ミリ秒までの値を書いてください。{found} は範囲の外です。"),
            format!("This has to be between {least} and {most} milliseconds. {found} is not."),
        ),
        Unit::Duration => {
            let (least, most) = (span(least), span(most));
            lang.pick(
                format!("{least} から {most} までの時間を書いてください。{found} は範囲の外です。"),
                format!("This has to be between {least} and {most}. {found} is not."),
            )
        }
        Unit::Entries if least == most => lang.pick(
            format!("要素の数はちょうど {least} です。いまは {found} 個あります。"),
            format!("There have to be exactly {least} entries. There are {found}."),
        ),
        Unit::Entries => lang.pick(
            format!("要素の数は {least} から {most} までです。いまは {found} 個あります。"),
            format!("There have to be between {least} and {most} entries. There are {found}."),
        ),
    }
}

fn span(micros: u64) -> String {
    duration::write(Span::from_micros(micros))
}

fn moment(time: Time) -> String {
    duration::write(time.since(Time::ZERO))
}

fn kind_name(lang: Lang, kind: Kind) -> &'static str {
    match kind {
        Kind::Topic => lang.pick("トピック", "topic"),
        Kind::Partition => lang.pick("パーティション", "partition"),
        Kind::Producer => lang.pick("プロデューサー", "producer"),
        Kind::Group => lang.pick("グループ", "group"),
        Kind::Member => lang.pick("メンバー", "member"),
        Kind::Sink => lang.pick("テーブル", "sink"),
    }
}

fn not_there(lang: Lang, kind: &str, name: &str, exists: &[String], suggestion: Option<&str>) -> String {
    let all = list(lang, exists);
    match (exists, suggestion) {
        ([], _) => lang.pick(
            format!("「{name}」という{kind}はありません。このファイルに{kind}は 1 つもありません。"),
            format!("There is no {kind} \"{name}\". This file has none."),
        ),
        (_, Some(meant)) => lang.pick(
            format!("「{name}」という{kind}はありません。「{meant}」のことでしょうか。あるもの: {all}"),
            format!("There is no {kind} \"{name}\". Did you mean \"{meant}\"? There are: {all}"),
        ),
        (_, None) => lang.pick(
            format!("「{name}」という{kind}はありません。あるもの: {all}"),
            format!("There is no {kind} \"{name}\". There are: {all}"),
        ),
    }
}

fn list(lang: Lang, words: &[String]) -> String {
    words.join(lang.pick("、", ", "))
}
