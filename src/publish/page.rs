//! The page for authors, in Markdown.

use super::InLang as _;
use super::examples::{EXAMPLES, pieces};
use super::words;
use crate::scenario::fields::{Default, Field, SECTIONS, Section, Shape, Table, tables};
use crate::scenario::read;
use crate::text::{Lang, outcome};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The page in this language.
pub fn page(lang: Lang) -> String {
    let mut out = String::new();
    let here = lang.pick("日本語", "English");
    let (there, file) = lang.pick(("English", "scenario-format.md"), ("日本語", "scenario-format.ja.md"));
    let made =
        format!("<!-- Made by `logstep-run schema --markdown {}`. Edit src/scenario/fields/ instead. -->", lang.tag());
    let title = lang.pick("シナリオのフォーマット `logstep/1`", "The scenario format `logstep/1`");
    let _ = writeln!(out, "{made}\n\n# {title}\n\n{here} | [{there}]({file})\n\n{}\n", introduction(lang));
    contents(lang, &mut out);
    first_file(lang, &mut out);
    values(lang, &mut out);
    let pieces = pieces();
    for section in SECTIONS {
        let _ = writeln!(out, "## {}\n\n{}\n", section.title.pick(lang), section.about.pick(lang));
        for table in section.tables {
            object(lang, table, &pieces, &mut out);
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn introduction(lang: Lang) -> &'static str {
    lang.pick(
        "シナリオは 1 つの JSON ファイルです。小さな Kafka の構成、起きる出来事、解説、問題、期待する結果を 1 つにまとめて書きます。同じファイルを、教材としてもテストとしても使えます。\n\n\
         設定には Kafka の名前と単位をそのまま使い、デフォルト値も指定したバージョンのものになります。logstep 独自の項目には、その旨を書いています。知らない項目や矛盾があれば、行と列を示すエラーになります。黙って無視されるものはありません。",
        "A scenario is one JSON file: a small Kafka world, what happens in it, what is said and asked about it, and what should come out. The same file is a lesson and a test.\n\n\
         Settings have Kafka's own names and units, and the defaults of the version that you name. What is logstep's own is said to be so. A field that is not known, or two values that contradict each other, is an error with its line and column; nothing is silently ignored.",
    )
}

fn first_heading(lang: Lang) -> &'static str {
    lang.pick("最初のファイル", "A first file")
}

fn values_heading(lang: Lang) -> &'static str {
    lang.pick("値の書き方", "How values are written")
}

fn contents(lang: Lang, out: &mut String) {
    let _ = writeln!(out, "## {}\n", lang.pick("目次", "Contents"));
    for heading in [first_heading(lang), values_heading(lang)] {
        let _ = writeln!(out, "- {}", words::link(heading, &slug(heading)));
    }
    for Section { title, tables, .. } in SECTIONS {
        let tables: Vec<String> = tables.iter().map(|table| code_link(table.name)).collect();
        let title = words::link(title.pick(lang), &slug(title.pick(lang)));
        let _ = writeln!(out, "- {title}: {}", tables.join(lang.pick("、", ", ")));
    }
    out.push('\n');
}

/// The place of a heading, as GitHub names it.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn code_link(table: &str) -> String {
    words::link(&format!("`{table}`"), table)
}

/// The smallest example with what it comes to, and the programs that read a file.
fn first_file(lang: Lang, out: &mut String) {
    let first = &EXAMPLES[0];
    let _ = writeln!(out, "## {}\n\n```json\n{}```\n", first_heading(lang), first.source);
    let _ = writeln!(out, "{}\n", lang.pick("実行すると、次の結果になります。", "It comes to this:"));
    if let Ok(scenario) = read(first.source) {
        for line in outcome(lang, &scenario.run()) {
            let _ = writeln!(out, "> {line}  ");
        }
    }
    let _ = writeln!(
        out,
        "\n{}\n",
        lang.pick(
            "ファイルはページの「ファイルを開く…」で開くか、コマンドで実行します。",
            "Open a file on the page with *Open a file…*, or run it on the command line:"
        )
    );
    let comments = lang.pick(
        ["すべてのステップを文章で、最後に結果", "期待する結果と比較する", "JSON Schema を出力"],
        ["every step as a sentence, then the outcome", "does it come to what the file expects?", "the JSON Schema"],
    );
    let _ = writeln!(
        out,
        "```sh\ncargo run --bin logstep-run -- run docs/examples/minimal.json    # {}\n\
         cargo run --bin logstep-run -- check docs/examples/lesson.json   # {}\n\
         cargo run --bin logstep-run -- schema                            # {}\n```\n",
        comments[0], comments[1], comments[2]
    );
    let _ = writeln!(
        out,
        "{}\n",
        lang.pick(
            "`static/scenario.schema.json` をエディターに登録すると、入力補完と説明が使えます。VS Code では `settings.json` に次のように書きます。説明を日本語で表示するには、`logstep-run schema --lang ja` の出力を保存して使ってください。",
            "An editor that knows `static/scenario.schema.json` completes fields and explains them. In VS Code, write into `settings.json`:",
        )
    );
    let _ = writeln!(
        out,
        "```json\n\"json.schemas\": [{{ \"fileMatch\": [\"scenarios/*.json\"], \"url\": \"./static/scenario.schema.json\" }}]\n```\n"
    );
    let _ = writeln!(
        out,
        "{}\n",
        lang.pick("ほかの例もあります。どれもこのまま実行できます。", "More examples, all of which run as they are:")
    );
    for example in &EXAMPLES {
        let _ = writeln!(out, "- [`{0}.json`](examples/{0}.json): {1}", example.name, example.about.pick(lang));
    }
    out.push('\n');
}

fn values(lang: Lang, out: &mut String) {
    let _ = writeln!(out, "## {}\n", values_heading(lang));
    let reference = lang.pick(
        "参照。ファイルのほかの場所で定義した名前を書きます。定義する場所は、前でも後でもかまいません。",
        "A reference: a name that is given elsewhere in the file, before or after.",
    );
    let moment = lang.pick(
        "時刻も同じ形で、実行開始からの時間として書きます。`ends_at` を超えることはできません。",
        "A moment is written in the same way, as the time since the start of the run; it may not be later than `ends_at`.",
    );
    let entries = [
        ("value-name", words::name(lang).to_owned()),
        ("value-reference", reference.to_owned()),
        ("value-partition", words::partition(lang).to_owned()),
        ("value-time", format!("{}{}{moment}", words::duration(lang), lang.pick("", " "))),
        ("value-version", words::release(lang).to_owned()),
    ];
    for (anchor, text) in entries {
        let _ = writeln!(out, "- <a id=\"{anchor}\"></a>{text}");
    }
    let _ = writeln!(
        out,
        "- {}\n",
        lang.pick("整数。小数点や指数は使えません。", "A whole number: no decimal point, no exponent.",)
    );
}

fn object(lang: Lang, table: &Table, pieces: &BTreeMap<&str, String>, out: &mut String) {
    let description = &table.description;
    let _ = writeln!(out, "### `{}`\n\n{}\n", table.name, description.about.pick(lang));
    let places = places(table);
    if !places.is_empty() {
        let places = places.join(lang.pick("、", ", "));
        let _ = writeln!(out, "{}\n", lang.pick(format!("使う場所: {places}"), format!("Used in: {places}")));
    }
    for or in description.or {
        or_else(lang, or, out);
    }
    let rules: Vec<String> = description.rules.iter().filter_map(|rule| words::rule(lang, rule)).collect();
    if !rules.is_empty() {
        let _ = writeln!(out, "{}\n", rules.join(lang.pick("", " ")));
    }
    let all_of_kafka = description.fields.iter().all(is_of_kafka);
    if all_of_kafka {
        let _ = writeln!(
            out,
            "{}\n",
            match client_of(table) {
                None => lang.pick(
                    "すべて Kafka の設定です。名前、単位、デフォルト値は Kafka と同じです。".to_owned(),
                    "All of these are settings of Kafka, with Kafka's names, units and defaults.".to_owned(),
                ),
                Some(client) => lang.pick(
                    format!("すべて {client} の設定です。名前、単位、デフォルト値は {client} と同じです。"),
                    format!("All of these are settings of {client}, with its names, units and defaults."),
                ),
            }
        );
    }
    fields(lang, description.fields, all_of_kafka, out);
    out.push('\n');
    if let Some(piece) = pieces.get(table.name) {
        let _ = writeln!(out, "```json\n{piece}\n```\n");
    }
}

/// The table of the fields. Where nothing is said about what holds without a field, it has no such column.
fn fields(lang: Lang, fields: &[Field], all_of_kafka: bool, out: &mut String) {
    let defaults = fields.iter().any(|field| !matches!(field.default, Default::Nothing));
    let mut row = |cells: [&str; 4]| {
        let [name, shape, default, meaning] = cells;
        let default = if defaults { format!(" {default} |") } else { String::new() };
        let _ = writeln!(out, "| {name} | {shape} |{default} {meaning} |");
    };
    row(lang.pick(["項目", "値", "省略時", "意味"], ["field", "value", "if left out", "meaning"]));
    row(["---"; 4]);
    for field in fields {
        let mark =
            if is_of_kafka(field) && !all_of_kafka { lang.pick("（Kafka の設定）", " (Kafka)") } else { "" };
        let (shape, default) = (words::shape(lang, &field.shape), words::default(lang, &field.default));
        row([&format!("`{}`{mark}", field.name), &shape, &default, &words::meaning(lang, field, "<br>")]);
    }
}

/// True for a field that is a setting of Kafka under Kafka's name.
fn is_of_kafka(field: &Field) -> bool {
    field.kafka == Some(field.name)
}

/// The client other than Java's whose settings a table has.
fn client_of(table: &Table) -> Option<&'static str> {
    let clients = ["librdkafka", "kafkajs", "kafka-python", "aiokafka"];
    clients.into_iter().find(|client| table.name.starts_with(&client.replace('-', "_")))
}

fn or_else(lang: Lang, or: &Shape, out: &mut String) {
    let Shape::Words(words) = or else {
        return;
    };
    let _ = writeln!(out, "{}\n", lang.pick("単語で書く条件は次のとおりです。", "The words:"));
    for word in *words {
        let _ = writeln!(out, "- `\"{}\"`: {}", word.word, word.about.pick(lang));
    }
    let _ = writeln!(out, "\n{}\n", lang.pick("オブジェクトで書く条件は次のとおりです。", "The objects:"));
}

/// The fields that hold such an object.
fn places(table: &Table) -> Vec<String> {
    let mut places = Vec::new();
    for other in tables() {
        for field in other.description.fields.iter().filter(|field| holds(&field.shape, table)) {
            places.push(words::link(&format!("`{}.{}`", other.name, field.name), other.name));
        }
    }
    places
}

fn holds(shape: &Shape, table: &Table) -> bool {
    match *shape {
        Shape::Object(other) => other.name == table.name,
        Shape::ByFamily(tables) => tables.iter().any(|(_, other)| other.name == table.name),
        Shape::AnyOf(tables) => tables.iter().any(|other| other.name == table.name),
        Shape::List(of, ..)
        | Shape::OneOrList(of, _)
        | Shape::MapOf(_, of)
        | Shape::MapOfKeys(of)
        | Shape::MapOfWords(_, of) => holds(of, table),
        Shape::Either(shapes) => shapes.iter().any(|shape| holds(shape, table)),
        _ => false,
    }
}
