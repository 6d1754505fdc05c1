//! The words of the lab, in which a person builds a world.

use super::Lang;
use crate::lab::NotDone;
use crate::scenario::duration;
use crate::scenario::fields::{Default, Shape};
use crate::scenario::mistake::Kind;

/// Why nothing was changed.
pub fn not_done(lang: Lang, why: NotDone) -> String {
    match why {
        NotDone::NotThere => lang.pick("その項目は、もうファイルにありません。", "That is no longer in the file."),
        NotDone::TooLarge => lang.pick(
            "ファイルが 1 MiB を超えるため、変更できません。",
            "Not changed: the file would be larger than 1 MiB.",
        ),
        NotDone::NoObject => lang.pick(
            "ファイルが JSON として読めないため、テキストだけを変更できます。",
            "The file is no JSON, so only its text can be changed.",
        ),
    }
    .to_owned()
}

/// The file as a whole, where the way to a part of it begins.
pub const fn whole(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "全体",
        Lang::En => "World",
    }
}

/// How many entries a list has.
pub fn count(lang: Lang, name: &str, count: usize) -> String {
    both!(lang, "{name}: {count} 件", "{count} {name}")
}

/// What holds without a field; nothing if that needs no words.
pub fn default(lang: Lang, default: &Default) -> String {
    match *default {
        Default::Required | Default::Nothing => String::new(),
        Default::Json(value) => both!(lang, "デフォルト: {value}", "Default: {value}"),
        Default::ByVersion(values) => {
            let since = |(since, value): &(&str, &str)| both!(lang, "{since} 以降 {value}", "{value} since {since}");
            let values: Vec<String> = values.iter().rev().map(since).collect();
            let values = values.join(lang.pick("、", ", "));
            both!(lang, "デフォルト: {values}", "Default: {values}")
        }
        Default::Words(words) => {
            let words = lang.pick(words.ja, words.en).replace('`', "");
            both!(lang, "省略時: {words}", "Without it: {words}")
        }
    }
}

/// What a value may be, as short as it can be said beside a control. Nothing where the control shows it.
pub fn limits(lang: Lang, shape: &Shape) -> String {
    match *shape {
        Shape::Whole(least, most) => both!(lang, "{least}～{most}", "{least} to {most}"),
        Shape::Signed(most) => both!(lang, "-{most}～{most}", "-{most} to {most}"),
        Shape::Millis(least, most) => both!(lang, "{least}～{most} ミリ秒", "{least} to {most} ms"),
        Shape::Duration(least, most) => {
            let (least, most) = (duration::write(least), duration::write(most));
            both!(lang, "{least}～{most}（例: 1m30s、250ms）", "{least} to {most}, as 1m30s or 250ms")
        }
        Shape::Moment => lang
            .pick("実行開始からの時間（例: 12.5s）。ends_at まで", "time since the start, as 12.5s; at most ends_at")
            .to_owned(),
        Shape::Name => lang.pick("半角の英数字と . _ -", "letters a-z, digits, . _ -").to_owned(),
        Shape::Release => lang.pick("バージョン（例: 3.6）", "a release line, as 3.6").to_owned(),
        Shape::IsoAfter(prefix) => both!(lang, "{prefix}PT1H など", "as {prefix}PT1H"),
        Shape::List(of, least, most) => {
            let of = limits(lang, of);
            let between = if of.is_empty() { "" } else { lang.pick("。それぞれ ", "; each ") };
            both!(
                lang,
                "{least}～{most} 個をカンマで区切る{between}{of}",
                "{least} to {most}, with commas{between}{of}"
            )
        }
        Shape::OneOrList(_, most) => {
            both!(
                lang,
                "優先する順に、カンマで区切る（{most} 個まで）",
                "with commas, the first choice first; at most {most}"
            )
        }
        Shape::Either(shapes) => {
            let parts: Vec<String> =
                shapes.iter().map(|shape| limits(lang, shape)).filter(|part| !part.is_empty()).collect();
            parts.join(lang.pick("、または ", ", or "))
        }
        Shape::Null => "null".to_owned(),
        Shape::Exactly(_)
        | Shape::Words(_)
        | Shape::Str
        | Shape::Ref(_)
        | Shape::RefClient
        | Shape::Bool
        | Shape::Object(_)
        | Shape::ByFamily(_)
        | Shape::AnyOf(_)
        | Shape::MapOf(..)
        | Shape::MapOfKeys(_)
        | Shape::MapOfWords(..) => String::new(),
    }
}

/// Of a field that takes the place of others.
pub const fn instead(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "同時に書けない項目と入れ替わります。",
        Lang::En => "It takes the place of what does not go with it.",
    }
}

/// Of a value that is written as it stands in the file.
pub const fn as_json(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "JSON で書く",
        Lang::En => "as JSON",
    }
}

/// A word and what it means, in a choice.
pub fn word(lang: Lang, word: &str, about: &str) -> String {
    let about = about.replace('`', "");
    let short: String = about.chars().take(64).collect();
    let rest = if short.len() < about.len() { "…" } else { "" };
    both!(lang, "{word}（{short}{rest}）", "{word}: {short}{rest}")
}

/// What a value may be in place of what it is.
pub fn kind_of_value(lang: Lang, shape: &Shape) -> String {
    match shape {
        Shape::Whole(..) | Shape::Signed(_) | Shape::Millis(..) => lang.pick("数値", "a number").to_owned(),
        Shape::List(..) | Shape::OneOrList(..) => lang.pick("1 つずつ", "one by one").to_owned(),
        Shape::Str => lang.pick("両言語で共通の文章", "one text for both languages").to_owned(),
        Shape::Words(_) => lang.pick("単語", "a word").to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Object(table) if table.name == "text" => {
            lang.pick("日英それぞれの文章", "a text in each language").to_owned()
        }
        Shape::Object(table) => {
            let name = table.name;
            both!(lang, "{name} の項目", "fields of {name}")
        }
        _ => lang.pick("別の形", "another form").to_owned(),
    }
}

/// A thing of a kind, where another one can be made.
pub const fn another(lang: Lang, kind: Kind) -> &'static str {
    match (kind, lang) {
        (Kind::Topic, Lang::Ja) => "トピックを追加",
        (Kind::Topic, Lang::En) => "Add a topic",
        (Kind::Producer, Lang::Ja) => "プロデューサーを追加",
        (Kind::Producer, Lang::En) => "Add a producer",
        (Kind::Group, Lang::Ja) => "グループを追加",
        (Kind::Group, Lang::En) => "Add a group",
        (Kind::Member, Lang::Ja) => "メンバーを追加",
        (Kind::Member, Lang::En) => "Add a member",
        (Kind::Sink, Lang::Ja) => "テーブルを追加",
        (Kind::Sink, Lang::En) => "Add a table",
        (Kind::Partition, Lang::Ja) => "パーティションを追加",
        (Kind::Partition, Lang::En) => "Add a partition",
    }
}

/// A world to begin with.
pub fn template(lang: Lang, name: &str) -> &'static str {
    let (ja, en) = match name {
        "empty" => ("トピックが 1 つだけ", "One topic and nothing else"),
        "one-group" => ("1 つのグループと 3 つのパーティション", "One group, three partitions"),
        "two-groups" => ("2 つのグループが同じトピックを読む", "Two groups read one topic"),
        "slow-member" => ("1 台だけ遅いコンシューマー", "One slow consumer"),
        "worker-pool" => ("ワーカープール", "A pool of workers"),
        "hot-key" => ("偏ったキー", "A hot key"),
        _ => ("ローリング再起動", "A rolling restart"),
    };
    lang.pick(ja, en)
}
