//! What is wrong with a scenario file, and where a run differs from what its file expects.

use super::Lang;
use crate::scenario::duration;
use crate::scenario::expect::{Difference, Differs, Found};
use crate::scenario::mistake::{Contradiction, Kind, Mistake, Problem, Syntax, Type, Unit};
use crate::sim::{Span, Time};

/// A mistake: where in the file's structure, what is wrong, and what is allowed. Line and column are the caller's.
pub fn mistake(lang: Lang, mistake: &Mistake) -> String {
    at(&mistake.path, problem(lang, &mistake.problem))
}

/// A difference: which expectation, what was expected, what came out.
pub fn difference(lang: Lang, difference: &Difference) -> String {
    at(&difference.path, differs(lang, &difference.what))
}

fn at(path: &str, text: String) -> String {
    if path.is_empty() { text } else { format!("{path}: {text}") }
}

fn problem(lang: Lang, problem: &Problem) -> String {
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

fn syntax_error(lang: Lang, syntax: Syntax) -> &'static str {
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
            lang.pick("引用符は二重引用符 (\") だけが使えます。", "Only double quotes (\") are allowed.")
        }
        Syntax::BadString => lang.pick(
            "文字列が閉じていないか、エスケープが正しくありません。",
            "The string is not closed, or has a wrong escape.",
        ),
        Syntax::BadNumber => lang.pick("JSON では使えない数の書き方です。", "JSON does not have numbers in this form."),
        Syntax::OpenObject => lang.pick("「{」が閉じていません。", "This \"{\" is not closed."),
        Syntax::OpenList => lang.pick("「[」が閉じていません。", "This \"[\" is not closed."),
        Syntax::MoreThanOneValue => {
            lang.pick("JSON が終わった後ろに、まだ文字があります。", "There is more behind the end of the JSON value.")
        }
        Syntax::Unexpected => lang.pick("ここにこの文字は書けません。", "This character does not belong here."),
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
            format!("「{field}」が二度書かれています。最初は {first_line} 行目です。"),
            format!("\"{field}\" is there twice. The first one is in line {first_line}."),
        ),
        Problem::OneOfFields { fields, found: 0 } => {
            let fields = list(lang, fields);
            lang.pick(format!("次のどれか一つが必要です: {fields}"), format!("One of these is needed: {fields}"))
        }
        Problem::OneOfFields { fields, .. } => {
            let fields = list(lang, fields);
            lang.pick(
                format!("次のうち、書けるのは一つだけです: {fields}"),
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
        Type::Object => lang.pick("オブジェクト {...}", "an object {...}"),
        Type::List => lang.pick("配列 [...]", "a list [...]"),
        Type::String => lang.pick("文字列", "a string"),
        Type::Number => lang.pick("数値", "a number"),
        Type::Boolean => lang.pick("true か false ", "true or false"),
        Type::Null => "null",
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
            format!("「{name}」という{kind}はありません。このファイルに{kind}は一つもありません。"),
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

fn contradicts(lang: Lang, contradiction: &Contradiction) -> String {
    match contradiction {
        Contradiction::HeartbeatNotBelowSession { heartbeat, session } => lang.pick(
            format!("heartbeat.interval.ms は session.timeout.ms より小さくしてください。いまは {heartbeat} と {session} です。"),
            format!("heartbeat.interval.ms has to be below session.timeout.ms. They are {heartbeat} and {session}."),
        ),
        Contradiction::SessionOutsideOfBroker { session, least, most } => lang.pick(
            format!("session.timeout.ms が {session} では、ブローカーが参加を拒みます。group.min.session.timeout.ms は {least}、group.max.session.timeout.ms は {most} です。"),
            format!("The broker refuses members with session.timeout.ms {session}: group.min.session.timeout.ms is {least} and group.max.session.timeout.ms is {most}."),
        ),
        Contradiction::BrokerBounds { least, most } => lang.pick(
            format!("group.min.session.timeout.ms ({least}) が group.max.session.timeout.ms ({most}) を超えています。"),
            format!("group.min.session.timeout.ms ({least}) is above group.max.session.timeout.ms ({most})."),
        ),
        Contradiction::AutoCommit { by_default: true } => lang.pick(
            "\"enable.auto.commit\": false を書いてください。書かないと Kafka の既定値の true になりますが、自動コミットはまだ再現できません。".to_owned(),
            "Write \"enable.auto.commit\": false. Without it, Kafka's default true applies, and auto commit is not modelled yet.".to_owned(),
        ),
        Contradiction::AutoCommit { by_default: false } => lang.pick(
            "自動コミットはまだ再現できません。false だけが使えます。".to_owned(),
            "Auto commit is not modelled yet. Only false is allowed.".to_owned(),
        ),
        Contradiction::AfterTheEnd { at, ends_at } => lang.pick(
            format!("{} は、実行が終わる {} (ends_at) より後です。", moment(*at), moment(*ends_at)),
            format!("{} is after the end of the run at {} (ends_at).", moment(*at), moment(*ends_at)),
        ),
        Contradiction::WaitWithoutAfter => lang.pick(
            "\"wait\" は \"after\" と一緒に使います。".to_owned(),
            "\"wait\" goes with \"after\".".to_owned(),
        ),
        Contradiction::Weights { weights, keys } => lang.pick(
            format!("重みはキーと同じ数だけ必要です。キーは {keys} 個、重みは {weights} 個です。"),
            format!("There have to be as many weights as keys: {keys} keys, {weights} weights."),
        ),
        Contradiction::KeysOverlap { key } => lang.pick(
            format!("キー「{key}」は、別の key_prefix のキーと同じになります。"),
            format!("The key \"{key}\" is the same as one of another key_prefix."),
        ),
        Contradiction::Versions { client, kafka } => lang.pick(
            format!("クライアント {client} とブローカー {kafka} は通信できません。4.0 以降には、相手も 2.1 以降が必要です (KIP-896)。"),
            format!("A client {client} cannot talk to a broker {kafka}: from 4.0 on, the other side has to be 2.1 or later (KIP-896)."),
        ),
        Contradiction::Bounds { least, most } => lang.pick(
            format!("at_least ({}) が at_most ({}) を超えています。", duration::write(*least), duration::write(*most)),
            format!("at_least ({}) is above at_most ({}).", duration::write(*least), duration::write(*most)),
        ),
    }
}

fn differs(lang: Lang, what: &Differs) -> String {
    match what {
        Differs::Value { expected, found } => {
            let (expected, found) = (value(lang, expected), value(lang, found));
            lang.pick(
                format!("期待は {expected}、結果は {found} です。"),
                format!("expected {expected}, found {found}"),
            )
        }
        Differs::NeverHappened { the_first: true } => lang
            .pick("最初の条件が一度も成り立ちませんでした。".to_owned(), "the first condition is never met".to_owned()),
        Differs::NeverHappened { the_first: false } => lang.pick(
            "最初の条件のあと、二つ目の条件が成り立ちませんでした。".to_owned(),
            "the second condition is never met after the first".to_owned(),
        ),
        Differs::OwnerChanged { at, member } => lang.pick(
            format!("{} に {member} の担当が変わりました。", moment(*at)),
            format!("the partitions of {member} change at {}", moment(*at)),
        ),
        Differs::Took { found, at_least, at_most } => {
            let [found, least, most] = [found, at_least, at_most].map(|span| duration::write(*span));
            lang.pick(
                format!("期待は {least} から {most}、結果は {found} です。"),
                format!("expected between {least} and {most}, took {found}"),
            )
        }
        Differs::NotEnded => lang.pick(
            "ステップ数の上限に達し、最後まで進みませんでした。".to_owned(),
            "the run reached the limit of steps before its end".to_owned(),
        ),
    }
}

fn value(lang: Lang, found: &Found) -> String {
    match found {
        Found::Number(number) => number.to_string(),
        Found::Member(name) => name.to_string(),
        Found::Offsets(offsets) => format!("{offsets:?}"),
        Found::Errors(errors) if errors.is_empty() => lang.pick("エラーなし", "no errors").to_owned(),
        Found::Errors(errors) => {
            list(lang, &errors.iter().map(|(name, count)| format!("{name} x {count}")).collect::<Vec<_>>())
        }
        Found::Nothing => lang.pick("なし", "none").to_owned(),
    }
}

/// The most entries of a list that are written out.
const MOST_LISTED: usize = 24;

fn list(lang: Lang, words: &[String]) -> String {
    let separator = lang.pick("、", ", ");
    match words {
        [first, .., last] if words.len() > MOST_LISTED => format!("{first} ... {last}"),
        _ => words.join(separator),
    }
}
