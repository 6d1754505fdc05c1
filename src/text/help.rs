//! The help: how to read the stage.

use super::Lang;

/// A thing on the stage and what it means.
pub type Entry = (&'static str, &'static str);

/// How to read the stage.
pub fn legend(lang: Lang) -> &'static [Entry] {
    match lang {
        Lang::Ja => &[
            ("色と形", "同じキーのレコードは同じ色・同じ形です。A1、A2 は同じキーの 1 件目、2 件目です。"),
            ("塗りつぶし", "処理が終わったレコードです。輪郭だけのレコードは、まだ処理されていません。"),
            (
                "▼ ポジション",
                "次の poll() で渡されるオフセットです。レコードを渡した時点で進み、処理の完了は待ちません。",
            ),
            ("緑の旗", "コミット済みオフセットです。担当が変わると、次のメンバーはここから読みます。"),
            (
                "細い印と線",
                "ほかのグループのものです。グループを選ぶと、レコード、ラグ、コミットがそのグループから見た状態に変わります。",
            ),
            (
                "タイムラインの印",
                "線の上の印は、赤がクラッシュ・消失・拒否されたコミット、青がリバランス、茶色が 2 回目以降の処理、灰色が失敗・タイムアウト、黒がそのほかの操作です。続けて起きたものは 1 本の帯になります。線の下の緑はコミット、上の短い線は時刻の区切り、// は長い待ち時間、かぎ形は分岐した場所です。",
            ),
            ("2×", "同じグループが 2 回処理したレコードです。"),
            ("点線", "担当のメンバーがもう動いていないことを表します。"),
            ("下線の付いた言葉", "押すと、その意味が表示されます。"),
            ("設定の値", "「なぜ」に並ぶ設定を押すと、別の値を試せます。"),
            (
                "二重の円",
                "外側はセッションの残りです。ハートビートが届くと満ち、なくなるとグループから外されます。内側は処理中のレコードの進み具合です。",
            ),
            (
                "カード右下の印",
                "リバランス中の各メンバーを、コーディネーターから見た印です。点線は応答なし、中に点があれば連絡済み、チェックは完了、ひし形は割り当て中のリーダー、− と ＋ はパーティションを手放す、受け取るメンバーです。グループ名の下の帯は、コーディネーターが待つ残り時間です。",
            ),
        ],
        Lang::En => &[
            (
                "Colour and shape",
                "Records with the same key share a colour and a shape. A1 and A2 are the first and second record of one key.",
            ),
            ("Filled", "The record has been processed. One that is only outlined has not."),
            (
                "▼ position",
                "The offset that the next poll() hands over. It moves when records are handed over, before they are processed.",
            ),
            ("Green flag", "The committed offset: where the next owner of the partition starts reading."),
            (
                "Thin marks and lines",
                "They belong to the other groups. Choose a group to see records, lag and commits as that group sees them.",
            ),
            (
                "Marks of the timeline",
                "On the line: red for crashes, losses and refused commits, blue for rebalances, brown for records processed again, grey for failures and timeouts, dark for whatever else was done. Several in a row are one bar. Green below it: commits. Short lines above it: time. // is a long wait, the angle is where a branch begins.",
            ),
            ("2×", "The group has processed this record twice."),
            ("Dotted line", "The member that should read this partition is gone."),
            ("Underlined word", "Press it to see what it means."),
            ("A setting", "Under Why: press it to try another value."),
            (
                "Two rings",
                "The outer one is what is left of the session: full at a heartbeat, and when it is empty the member is out. The inner one is how far the record in hand is.",
            ),
            (
                "Mark in a corner",
                "A member in a rebalance, as the coordinator sees it: dashed, not heard yet; with a dot, told and still to come; ticked, done; a diamond, the leader that assigns; − and +, who gives partitions up and who gets some. The bar under the name of the group is the time that the coordinator still waits.",
            ),
        ],
    }
}

/// What can be done to members.
pub const fn members(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => {
            "コンシューマーをクリックするか、Tab で選んで Enter を押すと、クラッシュさせる、離脱させる、起動する、のいずれかを選べます。過去の時点で行うと、そこから新しい分岐が始まります。"
        }
        Lang::En => {
            "Click a consumer, or reach it with Tab and press Enter, to crash it, make it leave or start it. Done at an earlier step, this begins a new branch."
        }
    }
}

/// On what terms the page is offered.
pub const fn terms(lang: Lang) -> &'static [&'static str] {
    match lang {
        Lang::Ja => &[
            "このページは利用状況を記録せず、どこにも送信しません。言語と配色の設定、オフラインで使うためのファイルは、このブラウザーの中だけに保存されます。見ている場面や試した操作はアドレスの # 以降に入り、サーバーには送られません。",
            "Chrome 97、Edge 97、Firefox 113、Safari 16.4 以降で動作します。最初に開いたあとは、オフラインでも使えます。",
            "プログラムのライセンスは MIT、レッスンの文章と図のライセンスは CC BY 4.0 です。",
        ],
        Lang::En => &[
            "Nothing is tracked or sent anywhere. The language and colours you chose, and the files for use offline, are kept in this browser only. The moment you look at and what you have tried stand in the address after the #, which no server is told.",
            "It runs in Chrome 97, Edge 97, Firefox 113 and Safari 16.4 or later, and once opened also offline.",
            "The program is licensed under MIT, the texts and figures of the lessons under CC BY 4.0.",
        ],
    }
}
