//! Scenario files that the authors' page shows, and pieces of them for each kind of object. Each of them runs.

use crate::scenario::fields::{SCENARIO, Shape, Table, Text};
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::collections::BTreeMap;

/// The most lines of a piece.
const MOST_LINES: usize = 16;

/// A file of `docs/examples`.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name, without `.json`.
    pub name: &'static str,
    /// The file.
    pub source: &'static str,
    /// What it shows.
    pub about: Text,
}

macro_rules! examples {
    ($($name:literal $en:literal $ja:literal;)*) => {
        [$(Example {
            name: $name,
            source: include_str!(concat!("../../docs/examples/", $name, ".json")),
            about: Text { en: $en, ja: $ja },
        }),*]
    };
}

/// All of them; the first is the smallest.
pub const EXAMPLES: [Example; 11] = examples! {
    "minimal" "the smallest file in which something happens" "出来事が起きる最小のファイル";
    "workload" "a workload with a hot key, settings of every kind, a member that starts late"
        "偏ったキーの workload、各種の設定、遅れて起動するメンバー";
    "producers" "producers with every client library, three brokers, records with and without keys"
        "各種のクライアントライブラリ、3 台のブローカー、キーのあるレコードとないレコード";
    "commits" "commits of every kind, members that differ, one that uses assign()"
        "さまざまなコミット、設定の違うメンバー、assign() を使うメンバー";
    "clients" "consumers with every client library, and one group with two of them"
        "各種のクライアントライブラリのコンシューマーと、2 種類が混在するグループ";
    "failing" "records that cannot be processed: retries, a dead-letter topic, skipping"
        "処理できないレコード。再試行、デッドレタートピック、読み飛ばし";
    "pool" "workers behind poll(), with a bounded queue, and a commit of what is finished without a gap"
        "poll() の後ろで処理するワーカー。上限のあるキューと、途切れなく終わった位置までのコミット";
    "sinks" "tables that are written to in every way, and one whose database is down for a while"
        "さまざまな書き込み方のテーブルと、一時的に停止するデータベース";
    "offset-store" "offsets in the database of the table, in one transaction with each row and after several"
        "テーブルのデータベースに保存するオフセット。行と同じトランザクションの場合と、数件ごとの場合";
    "lesson" "a lesson: records one by one, a crash and a restart, a story, questions, expectations"
        "教材の例。1 件ずつのレコード、クラッシュと再起動、解説、問題、期待する結果";
    "actions" "everything that can be done to a running system" "動作中のシステムに対してできる操作のすべて";
};

/// For each table one object of the example files, with as many fields as possible; as it stands there.
pub(super) fn pieces() -> BTreeMap<&'static str, String> {
    let mut best: BTreeMap<&'static str, (usize, String)> = BTreeMap::new();
    for example in &EXAMPLES {
        let collect = CollectOptions::default();
        let parsed = parse_to_ast(example.source, &collect, &ParseOptions::default());
        let Some(file) = parsed.ok().and_then(|parsed| parsed.value) else {
            continue;
        };
        walk(&Shape::Object(&SCENARIO), &file, &mut |table, object| {
            let text = dedented(example.source, object);
            let fields = object.properties.len();
            if text.lines().count() <= MOST_LINES && best.get(table.name).is_none_or(|(most, _)| fields > *most) {
                best.insert(table.name, (fields, text));
            }
        });
    }
    best.into_iter().map(|(name, (_, text))| (name, text)).collect()
}

fn walk<'t>(shape: &Shape, value: &'t Value<'t>, visit: &mut impl FnMut(&'static Table, &'t Object<'t>)) {
    match (*shape, value) {
        (Shape::Object(table), Value::Object(object)) => {
            visit(table, object);
            for property in &object.properties {
                let field = table.description.fields.iter().find(|field| field.name == property.name.as_str());
                match field.map(|field| field.shape) {
                    Some(Shape::ByFamily(tables)) => {
                        let family = family_of(object);
                        if let Some((_, table)) =
                            tables.iter().find(|(of, _)| family.is_none_or(|family| family == *of))
                        {
                            walk(&Shape::Object(table), &property.value, visit);
                        }
                    }
                    Some(shape) => walk(&shape, &property.value, visit),
                    None => {}
                }
            }
        }
        (Shape::List(of, ..), Value::Array(array)) => {
            array.elements.iter().for_each(|entry| walk(of, entry, visit));
        }
        (Shape::MapOf(_, of) | Shape::MapOfKeys(of) | Shape::MapOfWords(_, of), Value::Object(object)) => {
            object.properties.iter().for_each(|property| walk(of, &property.value, visit));
        }
        (Shape::Either(shapes), value) => shapes.iter().for_each(|shape| walk(shape, value, visit)),
        (Shape::AnyOf(tables), Value::Object(object)) => {
            let has_all = |table: &&&'static Table| {
                object.properties.iter().all(|property| table.fields.contains(&property.name.as_str()))
            };
            if let Some(table) = tables.iter().find(has_all) {
                walk(&Shape::Object(table), value, visit);
            }
        }
        _ => {}
    }
}

/// The family of the client of a producer or a group, if there is a client.
fn family_of<'t>(object: &'t Object<'t>) -> Option<&'t str> {
    let client = object.get_object("client")?;
    client.get_string("family").map(|family| &*family.value)
}

/// The text of an object, moved to the left as far as its last line.
fn dedented(source: &str, object: &Object<'_>) -> String {
    let text = &source[object.range().start..object.range().end];
    let last = text.lines().last().unwrap_or("");
    let indent = if text.contains('\n') { last.len() - last.trim_start().len() } else { 0 };
    let lines: Vec<&str> =
        text.lines().enumerate().map(|(number, line)| if number == 0 { line } else { &line[indent..] }).collect();
    lines.join("\n")
}
