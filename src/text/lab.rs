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
    match (lang, name) {
        (Lang::Ja, "members") => format!("メンバー {count} 台"),
        (Lang::Ja, "records") => format!("レコード {count} 件"),
        _ => both!(lang, "{name} {count} 件", "{count} {name}"),
    }
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

/// How many entries a list may have.
pub fn entries(lang: Lang, least: u32, most: u32) -> String {
    both!(lang, "{least}～{most} 個", "{least} to {most}")
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
        Shape::Words(_) => lang.pick("値（単語）", "a word").to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Object(table) if table.name == "text" => {
            lang.pick("日英それぞれの文章", "a text in each language").to_owned()
        }
        Shape::Object(table) => {
            let name = table.name;
            both!(lang, "{name} の項目", "fields of {name}")
        }
        _ => lang.pick("別の書き方", "another form").to_owned(),
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

/// Leads the form.
pub const fn title(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "シナリオを作る",
        Lang::En => "Build a world",
    }
}

/// What a person does here, until something is asked for.
pub const fn lead(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "変えた内容はすぐに図に反映されます。実行は最初からやり直され、同じ時刻が表示されます。",
        Lang::En => "A change is shown at once: the world begins anew and is shown at the same time.",
    }
}

/// Takes back the last change of the file.
pub const fn undo(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "元に戻す",
        Lang::En => "Undo",
    }
}

/// Makes it again.
pub const fn redo(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "やり直す",
        Lang::En => "Redo",
    }
}

/// Leads the worlds to begin with.
pub const fn begin_with(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "開始する内容…",
        Lang::En => "Begin with…",
    }
}

/// The world that was built last on this device.
pub const fn last_work(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "前回の編集内容",
        Lang::En => "What you built last",
    }
}

/// Saves the file.
pub const fn save(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "ファイルに保存",
        Lang::En => "Save as a file",
    }
}

/// Of a file with mistakes, whose world cannot be shown.
pub fn not_yet(lang: Lang, mistakes: usize) -> String {
    match mistakes {
        1 => lang.pick(
            "まだ実行できません。図は変更前のままです。",
            "This cannot run yet. The stage still shows the world before.",
        ),
        _ => {
            return both!(
                lang,
                "まだ実行できません（{mistakes} 件）。図は変更前のままです。",
                "This cannot run yet ({mistakes} mistakes). The stage still shows the world before."
            );
        }
    }
    .to_owned()
}

/// What was done by hand and is not in the world any more.
pub fn left_out(lang: Lang, count: u32) -> String {
    match count {
        1 => lang.pick(
            "自分で行った操作 1 件は、変更後のシナリオに合わないため取り消されました。",
            "One thing that you had done by hand does not fit the changed world and was left out.",
        ),
        _ => {
            return both!(
                lang,
                "自分で行った操作 {count} 件は、変更後のシナリオに合わないため取り消されました。",
                "{count} things that you had done by hand do not fit the changed world and were left out."
            );
        }
    }
    .to_owned()
}

/// Leads the fields that an object may have besides.
pub const fn add_field(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "項目を追加…",
        Lang::En => "Add a field…",
    }
}

/// Takes something away, by its name.
pub fn remove(lang: Lang, name: &str) -> String {
    both!(lang, "{name} を削除", "Remove {name}")
}

/// Makes another one like it.
pub fn copy(lang: Lang, name: &str) -> String {
    both!(lang, "{name} を複製", "Copy {name}")
}

/// Opens the form of an entry.
pub fn open(lang: Lang, name: &str) -> String {
    both!(lang, "{name} を編集", "Edit {name}")
}

/// Appends an entry to a list.
pub fn add(lang: Lang, list: &str) -> String {
    let known = match list {
        "topics" => Some(Kind::Topic),
        "producers" => Some(Kind::Producer),
        "groups" => Some(Kind::Group),
        "members" => Some(Kind::Member),
        "sinks" => Some(Kind::Sink),
        _ => None,
    };
    match (known, list) {
        (Some(kind), _) => another(lang, kind).to_owned(),
        (None, "actions") => lang.pick("アクションを追加", "Add an action").to_owned(),
        (None, _) => both!(lang, "{list} に追加", "Add to {list}"),
    }
}

/// Further entries of a list that are not shown one by one.
pub fn more(lang: Lang, more: u32) -> String {
    both!(lang, "ほか {more} 件（テキストで編集できます）", "{more} more; the text has them")
}

/// Turns a value into one of another kind.
pub fn turn_into(lang: Lang, kind: &str) -> String {
    both!(lang, "{kind}にする", "Make it {kind}")
}

/// Leads what a world has besides its parts.
pub const fn besides(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "タイトル、解説と問題、期待する結果など",
        Lang::En => "Title, story and questions, expectations",
    }
}

/// Leads the text of the file.
pub const fn as_text(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "ファイルのテキスト",
        Lang::En => "The file as text",
    }
}

/// Takes over a text.
pub const fn apply(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "テキストを反映",
        Lang::En => "Use this text",
    }
}

/// Where something is, as a row of names.
pub const fn trail(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "編集中の場所",
        Lang::En => "What is being edited",
    }
}

/// The name of a thing in a map that is still to be written.
pub const fn new_name(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "名前を入力して追加",
        Lang::En => "Name to add",
    }
}

/// Tries again what has failed.
pub const fn again(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "もう一度試す",
        Lang::En => "Try again",
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
