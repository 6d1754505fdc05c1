//! Japanese: brackets and terms, in the sources of everything that the page says.

use std::path::{Path, PathBuf};

/// A variant that is not to be used, and what stands for it.
const FORBIDDEN: &[(&str, &str)] = &[
    ("一意", "ユニークキー"),
    ("落ち", "クラッシュ"),
    ("落と", "クラッシュさせる"),
    ("再起動する", "起動する"),
    ("きまり", "仕様"),
    ("たたむ", "閉じる"),
    ("ひらく", "開く"),
    ("指紋", "フィンガープリント"),
    ("このラン", "この実行"),
    ("根拠", "決め手"),
    ("誰にも知ら", "誰にも通知されません"),
    ("全員の手", "グループ全体の処理"),
    ("配り直", "割り当て直す"),
    ("メンバーが処理しています", "台のコンシューマー"),
    ("at least once", "at-least-once"),
    ("コンシューマ ", "コンシューマー"),
    ("プロデューサ ", "プロデューサー"),
    ("ブラウザで", "ブラウザー"),
    ("一つ", "1 つ"),
    ("二つ", "2 つ"),
    ("三つ", "3 つ"),
    ("二度", "2 回"),
    ("三度", "3 回"),
    ("一件", "1 件"),
    ("一行", "1 行"),
    ("一人", "1 台"),
    ("二人", "2 台"),
];

fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')
}

/// All Japanese string literals of the sources that hold words, each with its file and line.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("static/boot.js")];
    for folder in ["src", "static/scenarios"] {
        gather(&root.join(folder), &mut files);
    }
    let mut found = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        for (line, number) in source.lines().zip(1..) {
            let at = format!("{}:{number}", file.display());
            let japanese = literals(line).into_iter().filter(|text| text.chars().any(is_japanese));
            found.extend(japanese.map(|text| (at.clone(), text)));
        }
    }
    found
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "json") {
            files.push(path);
        }
    }
}

/// What stands between double quotes in a line; no text of ours goes on in the next line.
fn literals(line: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let mut inside: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, &mut inside) {
            ('\\', Some(text)) => text.extend(chars.next()),
            ('"', Some(_)) => literals.extend(inside.take()),
            ('"', None) => inside = Some(String::new()),
            (c, Some(text)) => text.push(c),
            (_, None) => {}
        }
    }
    literals
}

#[test]
fn half_width_brackets_are_for_code_only() {
    for (at, text) in texts() {
        let mut before = None;
        let mut is_open = false;
        for c in text.chars() {
            match c {
                '(' => {
                    assert!(before.is_some_and(|c: char| c.is_ascii_alphanumeric()), "{at}: no call in {text}");
                    is_open = true;
                }
                ')' => is_open = false,
                c => assert!(!(is_open && is_japanese(c)), "{at}: Japanese in a call in {text}"),
            }
            before = Some(c);
        }
    }
}

#[test]
fn full_width_brackets_stand_without_spaces() {
    for (at, text) in texts() {
        for wrong in [" （", "（ ", " ）", "） "] {
            assert!(!text.contains(wrong), "{at}: \"{wrong}\" in {text}");
        }
    }
}

#[test]
fn one_thing_has_one_name() {
    let texts = texts();
    assert!(texts.len() > 400, "{} texts", texts.len());
    for (at, text) in texts {
        for (variant, term) in FORBIDDEN {
            assert!(!text.contains(variant), "{at}: {term} instead of {variant} in {text}");
        }
        // "once more" is no number
        assert!(!text.replace("もう一度", "").contains("一度"), "{at}: 1 回 in {text}");
    }
}
