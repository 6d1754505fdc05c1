//! Shapes, defaults and rules in words. Links lead to places of the authors' page.

use super::InLang as _;
use crate::scenario::Version;
use crate::scenario::duration;
use crate::scenario::fields::{Default, Field, Rule, Shape, Word};
use crate::scenario::mistake::Kind;
use crate::scenario::since::SINCE;
use crate::text::Lang;

/// The most words that a cell of the page repeats.
const MOST_WORDS: usize = 4;

/// What a name is.
pub(super) fn name(lang: Lang) -> &'static str {
    lang.pick(
        "名前。使えるのは英数字と「.」「_」「-」で、長さは 1～249 文字です。",
        "A name: letters a-z and A-Z, digits, `.`, `_` and `-`, 1 to 249 of them.",
    )
}

/// What the name of a partition is.
pub(super) fn partition(lang: Lang) -> &'static str {
    lang.pick(
        "パーティション。`orders-2` のように、トピック名と番号で書きます。番号は 0 からです。",
        "A partition: the name of its topic and its number, from 0, as in `orders-2`.",
    )
}

/// What a length of time is.
pub(super) fn duration(lang: Lang) -> &'static str {
    lang.pick(
        "時間の長さ。数値と単位を、大きい単位から順に並べます。`5s`、`5.2s`、`500ms`、`250us`、`1m30s` など。単位は d、h、m、s、ms、us です。",
        "A length of time: numbers with units, the longest unit first, as in `5s`, `5.2s`, `500ms`, `250us` or `1m30s`. Units: d, h, m, s, ms, us.",
    )
}

/// What a release line is.
pub(super) fn release(lang: Lang) -> &'static str {
    lang.pick(
        "Kafka またはクライアントのバージョン。`3.6` のように、2 つの数値で書きます。",
        "A release line of Kafka or of a client: two numbers, as in `3.6`.",
    )
}

/// What a field means, for an editor: with its range and its default, as far as the schema's own keywords do not say them.
pub(super) fn description(lang: Lang, field: &Field) -> String {
    let mut parts = vec![meaning(lang, field, lang.pick("", " "))];
    match field.shape {
        Shape::Millis(..) => parts.push(lang.pick("単位はミリ秒です。", "In milliseconds.").to_owned()),
        Shape::Duration(least, most) => {
            let (least, most) = (duration::write(least), duration::write(most));
            parts.push(lang.pick(format!("範囲は {least}～{most} です。"), format!("From {least} to {most}.")));
        }
        _ => {}
    }
    match field.default {
        Default::ByVersion(_) | Default::Words(_) => {
            let default = default(lang, &field.default);
            parts.push(lang.pick(format!("デフォルト: {default}。"), format!("Default: {default}.")));
        }
        Default::Required | Default::Nothing | Default::Json(_) => {}
    }
    parts.join(lang.pick("", " "))
}

/// What a field means, its words and the setting that it is included; `between` stands before each word.
pub(super) fn meaning(lang: Lang, field: &Field, between: &str) -> String {
    let mut text = field.about.pick(lang).to_owned();
    if let Some(kafka) = field.kafka.filter(|kafka| *kafka != field.name) {
        text.push_str(&lang.pick(format!("Kafka の `{kafka}` にあたります。"), format!(" In Kafka: `{kafka}`.")));
    }
    if let Some(version) = since(field) {
        text.push_str(&lang.pick(format!("{version} 以降。"), format!(" Since {version}.")));
    }
    for word in words_of(&field.shape) {
        let (word, about) = (word.word, word.about.pick(lang));
        text.push_str(between);
        text.push_str(&lang.pick(format!("`{word}`: {about}。"), format!("`{word}`: {about}.")));
    }
    text
}

/// The first release line with a setting of Kafka, if there are older ones that a file can name.
fn since(field: &Field) -> Option<Version> {
    SINCE.iter().find(|entry| field.kafka == Some(entry.what)).map(|entry| entry.version)
}

/// The words of a shape.
fn words_of(shape: &Shape) -> &'static [Word] {
    match *shape {
        Shape::Words(words) | Shape::MapOfWords(words, _) => words,
        Shape::OneOrList(of, _) => words_of(of),
        Shape::Either(shapes) => shapes.iter().map(words_of).find(|words| !words.is_empty()).unwrap_or(&[]),
        _ => &[],
    }
}

/// What holds without a field.
pub(super) fn default(lang: Lang, default: &Default) -> String {
    match *default {
        Default::Required => lang.pick("**必須**", "**required**").to_owned(),
        Default::Nothing => lang.pick("なし", "none").to_owned(),
        Default::Json(value) => format!("`{value}`"),
        Default::ByVersion(values) => {
            let mut parts = Vec::new();
            for (place, (since, value)) in values.iter().enumerate().rev() {
                parts.push(match place {
                    0 => lang.pick(format!("それより前は `{value}`"), format!("before that `{value}`")),
                    _ => lang.pick(format!("{since} 以降は `{value}`"), format!("`{value}` since {since}")),
                });
            }
            parts.join(lang.pick("、", ", "))
        }
        Default::Words(words) => words.pick(lang).to_owned(),
    }
}

/// What a field may hold.
pub(super) fn shape(lang: Lang, of: &Shape) -> String {
    match *of {
        Shape::Exactly(text) => format!("`\"{text}\"`"),
        Shape::Words(words) if words.len() > MOST_WORDS => {
            lang.pick("右の単語の 1 つ", "one of the words beside").to_owned()
        }
        Shape::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{}\"`", word.word)).collect();
            words.join(lang.pick("、", ", "))
        }
        Shape::Str => lang.pick("文字列", "string").to_owned(),
        Shape::Name => link(lang.pick("名前", "name"), "value-name"),
        Shape::Ref(kind) => {
            link(self::kind(lang, kind), if kind == Kind::Partition { "value-partition" } else { "value-reference" })
        }
        Shape::RefClient => {
            link(lang.pick("メンバーかプロデューサーの名前", "name of a member or a producer"), "value-reference")
        }
        Shape::Release => link(lang.pick("バージョン", "version"), "value-version"),
        Shape::Bool => "`true`, `false`".to_owned(),
        Shape::Whole(least, most) => {
            lang.pick(format!("整数（{least}～{most}）"), format!("whole number ({least} to {most})"))
        }
        Shape::Signed(most) => {
            lang.pick(format!("整数（-{most}～{most}）"), format!("whole number (-{most} to {most})"))
        }
        Shape::Millis(least, most) => lang.pick(
            format!("ミリ秒の整数（{least}～{most}）"),
            format!("whole number of milliseconds ({least} to {most})"),
        ),
        Shape::Duration(least, most) => {
            let (least, most) = (duration::write(least), duration::write(most));
            let time = link(lang.pick("時間", "length of time"), "value-time");
            lang.pick(format!("{time}（`{least}`～`{most}`）"), format!("{time} (`{least}` to `{most}`)"))
        }
        Shape::Moment => link(lang.pick("時刻", "moment"), "value-time"),
        Shape::IsoAfter(prefix) => lang.pick(
            format!("`\"{prefix}\"` に ISO 8601 の長さを続けたもの（`\"{prefix}PT1H\"` など）"),
            format!("`\"{prefix}\"` and a length in ISO 8601, as `\"{prefix}PT1H\"`"),
        ),
        Shape::Null => "`null`".to_owned(),
        Shape::Object(table) => link(&format!("`{}`", table.name), table.name),
        Shape::ByFamily(tables) => {
            let tables: Vec<String> = tables
                .iter()
                .map(|(family, table)| format!("{} (`{family}`)", link(&format!("`{}`", table.name), table.name)))
                .collect();
            tables.join(lang.pick("、", ", "))
        }
        Shape::AnyOf(tables) => {
            let tables: Vec<String> =
                tables.iter().map(|table| link(&format!("`{}`", table.name), table.name)).collect();
            tables.join(lang.pick("、", ", "))
        }
        Shape::List(of, least, most) => {
            let of = shape(lang, of);
            if least == most {
                lang.pick(format!("配列（{least} 個）: {of}"), format!("list of {least} entries, each: {of}"))
            } else {
                lang.pick(
                    format!("配列（{least}～{most} 個）: {of}"),
                    format!("list of {least} to {most} entries, each: {of}"),
                )
            }
        }
        Shape::OneOrList(of, most) => {
            let of = shape(lang, of);
            lang.pick(
                format!("{of}。または、その配列（1～{most} 個）"),
                format!("{of}; or a list of 1 to {most} of them"),
            )
        }
        Shape::MapOf(kind, of) => {
            let (kind, of) = (shape(lang, &Shape::Ref(kind)), shape(lang, of));
            lang.pick(format!("オブジェクト。キー: {kind}、値: {of}"), format!("object: for each {kind}, {of}"))
        }
        Shape::MapOfKeys(of) => {
            let of = shape(lang, of);
            lang.pick(
                format!("オブジェクト。キー: レコードのキー、値: {of}"),
                format!("object: for each key of a record, {of}"),
            )
        }
        Shape::MapOfWords(words, of) => {
            let (words, of) = (shape(lang, &Shape::Words(words)), shape(lang, of));
            lang.pick(format!("オブジェクト。キー: {words}、値: {of}"), format!("object: for each of {words}, {of}"))
        }
        Shape::Either(shapes) => {
            let shapes: Vec<String> = shapes.iter().map(|of| shape(lang, of)).collect();
            // Full-width brackets bring their own space.
            shapes.join(lang.pick(" または ", " or ")).replace("） ", "）").replace("つ ", "つ")
        }
    }
}

/// A rule between fields.
pub(super) fn rule(lang: Lang, rule: &Rule) -> Option<String> {
    Some(match *rule {
        Rule::OneField => {
            lang.pick("項目は、ちょうど 1 つだけ書きます。", "Exactly one of these fields is there.").to_owned()
        }
        Rule::OneOf(sets) => {
            let together = |set: &&[&str]| set.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(" + ");
            let sets: Vec<String> = sets.iter().map(together).collect();
            let sets = sets.join(lang.pick("、", ", "));
            lang.pick(
                format!("次のうち、ちょうど 1 つを書きます: {sets}。"),
                format!("Exactly one of these is there: {sets}."),
            )
        }
        Rule::Needs(field, other) => lang
            .pick(format!("`{field}` は `{other}` と一緒に使います。"), format!("`{field}` only goes with `{other}`.")),
        Rule::NotBoth(one, other) => lang.pick(
            format!("`{one}` と `{other}` は、どちらか一方だけを書けます。"),
            format!("`{one}` and `{other}` do not go together."),
        ),
    })
}

fn kind(lang: Lang, kind: Kind) -> &'static str {
    match kind {
        Kind::Topic => lang.pick("トピックの名前", "name of a topic"),
        Kind::Partition => lang.pick("パーティション", "partition"),
        Kind::Producer => lang.pick("プロデューサーの名前", "name of a producer"),
        Kind::Group => lang.pick("グループの名前", "name of a group"),
        Kind::Member => lang.pick("メンバーの名前", "name of a member"),
        Kind::Sink => lang.pick("テーブルの名前", "name of a table"),
    }
}

/// A link to a place of the page.
pub(super) fn link(text: &str, anchor: &str) -> String {
    format!("[{text}](#{anchor})")
}
