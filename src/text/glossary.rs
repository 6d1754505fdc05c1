//! Words of Kafka, what they mean, and where they stand in a text.

use super::Lang;
use std::rc::Rc;

/// A word that is explained, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term(u8);

/// A piece of a text: as it is, or a word that is explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The piece.
    pub text: Rc<str>,
    /// Which word it is.
    pub term: Option<Term>,
}

/// The forms of a word, in Japanese and in English. The first one names it. English forms may stand in the plural, too.
struct Forms {
    ja: &'static [&'static str],
    en: &'static [&'static str],
}

macro_rules! terms {
    ($( $ja:expr, $en:expr => $meaning_ja:literal, $meaning_en:literal; )*) => {
        const FORMS: &[Forms] = &[ $( Forms { ja: &$ja, en: &$en } ),* ];
        /// In a table of their own, since words are looked for long before anybody asks what one means.
        const MEANINGS: &[[&str; 2]] = &[ $( [$meaning_ja, $meaning_en] ),* ];
    };
}

terms! {
    ["トピック"], ["topic"] =>
        "レコードを書き込む先の名前です。中身は 1 つ以上のパーティションに分かれています。",
        "A named stream of records, split into one or more partitions.";
    ["パーティション"], ["partition"] =>
        "トピックを分けたうちの 1 つで、レコードを末尾に足していくログです。順序が保証されるのは、この中だけです。",
        "One part of a topic: a log to which records are only ever appended. Order is kept inside a partition and nowhere else.";
    ["オフセット"], ["offset"] =>
        "パーティション内でのレコードの番号です。0 から始まり、書き込まれたあとは変わりません。",
        "The number of a record in its partition, from 0. It never changes once the record is written.";
    ["キー"], ["key"] =>
        "レコードに付ける値です。同じキーのレコードは、パーティション数が変わらない限り同じパーティションに入ります。",
        "A value that goes with a record. Records with one key go to one partition, as long as the number of partitions stays.";
    ["バッチ"], ["batch"] =>
        "同じパーティションに送るレコードのまとまりです。プロデューサーは、いっぱいになるか linger.ms が過ぎると送ります。",
        "Records for one partition that a producer sends together, once the batch is full or linger.ms has passed.";
    ["コミット済みオフセット"], ["committed offset"] =>
        "グループが次に読むべきオフセットとしてブローカーに残した値です。担当が変わると、次のメンバーはここから読みます。",
        "What a group has stored with the broker as the next offset to read. Whoever takes over the partition goes on from there.";
    ["コミット"], ["commit", "committed", "committing"] =>
        "どこまで読み終えたかをブローカーに残すことです。残すのは、次に読むべきレコードのオフセットです。",
        "To store with the broker how far a group has come: the offset of the record that is to be read next.";
    ["ポジション"], ["position"] =>
        "コンシューマーが次の poll() で受け取るレコードのオフセットです。コミットとは別に、渡した時点で進みます。",
        "The offset of the record that the next poll() of a consumer returns. It moves as records are handed over, whatever is committed.";
    ["ラグ"], ["lag"] =>
        "ログの末尾とコミット済みオフセットの差、つまりグループがどれだけ遅れているかです。",
        "The end of the log minus the committed offset: how far a group is behind.";
    ["コンシューマーグループ", "グループ"], ["consumer group", "group"] =>
        "トピックを分担して読むコンシューマーの集まりです。1 つのパーティションを読むのは、グループの中で同時に 1 台だけです。",
        "Consumers that share the work of reading topics. Of one group, only one at a time reads a partition.";
    ["静的メンバー"], ["static member"] =>
        "group.instance.id を持つメンバーです。session.timeout.ms 以内に戻れば、リバランスなしで同じパーティションを受け取ります。",
        "A member with a group.instance.id. If it is back within session.timeout.ms, it gets the same partitions without a rebalance.";
    ["メンバー"], ["member"] =>
        "グループに参加しているコンシューマーです。",
        "A consumer that has joined a group.";
    ["リーダー"], ["leader"] =>
        "割り当てを計算するメンバーです。classic プロトコルで、最初に参加したメンバーがなります。",
        "The member that works out who gets which partitions, in the classic protocol: the first one that joined.";
    ["コーディネーター"], ["coordinator"] =>
        "グループを受け持つブローカーです。メンバーを管理し、コミットを預かります。",
        "The broker that looks after a group: it keeps track of the members and stores the commits.";
    ["リバランス"], ["rebalance", "rebalancing"] =>
        "メンバーやパーティションが変わったときに、パーティションを割り当て直すことです。",
        "Dealing the partitions anew among the members, when members or partitions have changed.";
    ["世代"], ["generation"] =>
        "リバランスのたびに 1 増える番号です。古い番号を付けたコミットは拒否されます。",
        "A number that rises by one with each rebalance. A commit that comes with an old one is refused.";
    ["グループエポック"], ["group epoch"] =>
        "consumer プロトコルで、グループのメンバーや購読、パーティションが変わるたびに増える番号です。",
        "In the consumer protocol, a number that rises whenever members, subscriptions or partitions of the group change.";
    ["メンバーエポック", "エポック"], ["member epoch", "epoch"] =>
        "consumer プロトコルで、どの割り当てまで進んだかを表す番号です。classic プロトコルの世代にあたります。",
        "In the consumer protocol, the number of the assignment that has been reached; what a generation is in the classic one.";
    ["ターゲット割り当て"], ["target assignment"] =>
        "ブローカーが決めた、最終的に目指す割り当てです。メンバーはそれぞれのハートビートでそこへ近づきます。",
        "Who is to have which partitions in the end, as the broker has decided. Each member comes to it with its own heartbeats.";
    ["アサイナー"], ["assignor"] =>
        "どのメンバーがどのパーティションを読むかを決める方式です（range、cooperative-sticky など）。",
        "The rule by which partitions are dealt among members, such as range or cooperative-sticky.";
    ["ハートビート"], ["heartbeat"] =>
        "メンバーがコーディネーターに定期的に送る、生きているという知らせです。リバランスの知らせも、この応答で届きます。",
        "What a member sends to the coordinator at intervals to show that it lives. The answer also tells it of a rebalance.";
    ["セッション"], ["session timeout", "session"] =>
        "コーディネーターがメンバーを生きていると見なす期間です。session.timeout.ms の間連絡がないと切れ、メンバーは外されます。",
        "How long the coordinator takes a member for alive. After session.timeout.ms without a sign of it the member is removed.";
    ["poll()"], ["poll()"] =>
        "アプリケーションがレコードを受け取るために呼び続けるメソッドです。リバランスへの参加も、この中で行われます。",
        "The method that an application calls again and again to get records. Joining a rebalance happens inside it, too.";
    ["ユニークキー"], ["unique key"] =>
        "同じ値を 1 行しか許さない、テーブルの列です。同じ書き込みが 2 回来ても、行は増えません。",
        "A column of a table that holds each value only once, so that a repeated write adds no row.";
}

impl Term {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Term> {
        (0..FORMS.len() as u8).map(Term)
    }

    /// The word.
    pub fn name(self, lang: Lang) -> &'static str {
        self.forms(lang)[0]
    }

    /// What it means, in one or two sentences.
    #[inline(never)]
    pub fn meaning(self, lang: Lang) -> &'static str {
        let [ja, en] = MEANINGS[self.0 as usize];
        lang.pick(ja, en)
    }

    /// Its number, which tells it from others.
    pub const fn number(self) -> u8 {
        self.0
    }

    fn forms(self, lang: Lang) -> &'static [&'static str] {
        let Forms { ja, en } = FORMS[self.0 as usize];
        lang.pick(ja, en)
    }
}

/// Finds words in the texts of a panel: each word once, where it stands first.
pub struct Finder {
    lang: Lang,
    found: Vec<Term>,
}

impl Finder {
    /// For a panel in which no word has been found yet.
    pub const fn new(lang: Lang) -> Self {
        Finder { lang, found: Vec::new() }
    }

    /// Cuts a text where words stand that were not found before. The pieces together are the text.
    pub fn cut(&mut self, text: &str) -> Rc<[Segment]> {
        let mut segments = Vec::new();
        let (mut start, mut at) = (0, 0);
        while let Some(next) = text[at..].chars().next() {
            let Some((term, length)) = word_at(self.lang, text, at) else {
                at += next.len_utf8();
                continue;
            };
            if !self.found.contains(&term) {
                self.found.push(term);
                if start < at {
                    segments.push(Segment { text: text[start..at].into(), term: None });
                }
                segments.push(Segment { text: text[at..at + length].into(), term: Some(term) });
                start = at + length;
            }
            at += length;
        }
        if start < text.len() {
            segments.push(Segment { text: text[start..].into(), term: None });
        }
        segments.into()
    }
}

/// The longest word that stands here, and how long it is.
fn word_at(lang: Lang, text: &str, at: usize) -> Option<(Term, usize)> {
    let forms = Term::all().flat_map(|term| term.forms(lang).iter().map(move |form| (term, *form)));
    let fitting = forms.filter_map(|(term, form)| {
        let length = length_of(form, &text[at..])?;
        stands_alone(text, at, at + length).then_some((term, length))
    });
    fitting.max_by_key(|&(_, length)| length)
}

/// How much of a text this form takes up, if the text begins with it: with a capital, and in the plural, too.
fn length_of(form: &str, text: &str) -> Option<usize> {
    let head = text.get(..form.len())?;
    if head != form && !(form.is_ascii() && head.eq_ignore_ascii_case(form) && head[1..] == form[1..]) {
        return None;
    }
    let is_word = form.ends_with(|last: char| last.is_ascii_alphabetic());
    let ending = if form.ends_with("ch") { "es" } else { "s" };
    match text[form.len()..].strip_prefix(ending) {
        Some(rest) if is_word && !rest.starts_with(|next: char| next.is_ascii_alphanumeric()) => {
            Some(form.len() + ending.len())
        }
        _ => Some(form.len()),
    }
}

/// True if a place of a text is a word and not a part of one, nor of the name of a setting, a call or a constant.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let word = &text[start..end];
    let (mut before, mut after) = (text[..start].chars().rev(), text[end..].chars());
    let (before, after) = ([before.next(), before.next()], [after.next(), after.next()]);
    let edge = |inner: Option<char>, outer: [Option<char>; 2]| {
        let goes_on = |c: char| c.is_ascii_alphanumeric();
        match (inner, outer) {
            (Some(inner), [Some(outer), _]) if is_katakana(inner) => !is_katakana(outer),
            (Some(inner), [Some('.' | '-' | '_' | '='), next]) if inner.is_ascii() => !next.is_some_and(goes_on),
            (Some(inner), [Some(outer), _]) if inner.is_ascii() => !goes_on(outer) && outer != '_' && outer != '(',
            _ => true,
        }
    };
    edge(word.chars().next(), before) && edge(word.chars().next_back(), after)
}

const fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | 'ー')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lang: Lang, text: &str) -> Vec<String> {
        let segments = Finder::new(lang).cut(text);
        assert_eq!(segments.iter().map(|segment| &*segment.text).collect::<String>(), text);
        segments.iter().filter(|segment| segment.term.is_some()).map(|segment| segment.text.to_string()).collect()
    }

    #[test]
    fn words_are_found_once_the_longest_first() {
        let text = "Partitions and partitions: the committed offset is an offset, the offset stays.";
        assert_eq!(found(Lang::En, text), ["Partitions", "committed offset", "offset"]);
        let text = "コミット済みオフセットはコミットした値で、オフセットの 1 つです。";
        assert_eq!(found(Lang::Ja, text), ["コミット済みオフセット", "コミット", "オフセット"]);
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(found(Lang::En, "Setting a monkey upset the regrouped keys"), ["keys"]);
        assert_eq!(found(Lang::Ja, "フラグとモンキーとキーボード、キーとラグ"), ["キー", "ラグ"]);
        assert_eq!(found(Lang::Ja, "グループエポックはエポックの 1 つ"), ["グループエポック", "エポック"]);
        assert_eq!(found(Lang::En, "batches, a group's leader."), ["batches", "group", "leader"]);
    }

    #[test]
    fn names_of_settings_calls_and_constants_are_left_alone() {
        for text in [
            "group.instance.id and auto.offset.reset=latest, session.timeout.ms",
            "offset=3, commit(), position(…), REBALANCE_IN_PROGRESS, member_id, OffsetCommit, cooperative-group-1",
        ] {
            assert_eq!(found(Lang::En, text), [""; 0], "{text}");
            assert_eq!(found(Lang::Ja, text), [""; 0], "{text}");
        }
        assert_eq!(found(Lang::En, "after poll() it goes on"), ["poll()"]);
        assert_eq!(found(Lang::Ja, "次の poll() で"), ["poll()"]);
        // A full stop ends a sentence.
        assert_eq!(found(Lang::En, "It ends with an offset. Then a key."), ["offset", "key"]);
    }

    #[test]
    fn every_word_is_explained_in_both_languages_and_no_form_twice() {
        for lang in Lang::ALL {
            let mut forms: Vec<&str> = Term::all().flat_map(|term| term.forms(lang)).copied().collect();
            let all = forms.len();
            forms.sort_unstable();
            forms.dedup();
            assert_eq!(forms.len(), all);
            for term in Term::all() {
                let length = term.meaning(lang).chars().count();
                assert!((15..=160).contains(&length), "{}: {length}", term.name(lang));
                let ends = lang.pick("。", ".");
                assert!(term.meaning(lang).ends_with(ends), "{}", term.name(lang));
            }
        }
    }

    #[test]
    fn hostile_text_is_only_text() {
        let text = "<b>key</b> & \u{202e}offset\u{0}ー ﾒﾝﾊﾞｰ 🔑 Key";
        assert_eq!(found(Lang::En, text), ["key", "offset"]);
        assert_eq!(found(Lang::Ja, text), [""; 0]);
        assert_eq!(found(Lang::En, ""), [""; 0]);
    }
}
