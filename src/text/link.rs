//! Why an address cannot be opened, in words.

use super::Lang;
use crate::link::LinkProblem;

/// What is wrong with an address, and what the page does instead.
pub fn link_problem(lang: Lang, problem: LinkProblem) -> String {
    match problem {
        LinkProblem::TooLong => both!(
            lang,
            "このリンクは長すぎるため、開けません。シナリオのファイルをもらって「ファイルを開く…」から開いてください。",
            "This link is too long to be opened. Please ask for the scenario as a file and open that."
        ),
        LinkProblem::Newer => both!(
            lang,
            "このリンクは新しいバージョンの logstep で作られています。ページを再読み込みしてから、リンクをもう一度開いてください。それでも開けなければ、リンク元のバージョンを確認してください。",
            "This link was made by a newer version of logstep. Please reload the page, then open the link once more; if that does not help, use the version that it came from."
        ),
        LinkProblem::NoSuchStory => both!(
            lang,
            "このリンクが指すストーリーはないため、開けませんでした。",
            "There is no story of the name in this link, so it was not opened."
        ),
        LinkProblem::Damaged(part) => both!(
            lang,
            "このリンクは壊れています（{part} を読み取れません）。途中で切れていないか確認してください。",
            "This link is damaged: {part} cannot be read. Perhaps it was cut short."
        ),
    }
}

/// There is no story of the name that a host has asked for, only these.
pub fn no_such_story(lang: Lang, names: &str) -> String {
    both!(
        lang,
        "その名前のストーリーはありません。指定できる名前: {names}",
        "There is no story of that name. There are: {names}"
    )
}
