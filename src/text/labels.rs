//! The short texts of the page's controls.

use super::Lang;

macro_rules! labels {
    ($( $(#[$doc:meta])* $name:ident: $ja:literal, $en:literal; )*) => {
        $(
            $(#[$doc])*
            pub const fn $name(lang: Lang) -> &'static str {
                match lang { Lang::Ja => $ja, Lang::En => $en }
            }
        )*

        /// Every label in both languages, for tests.
        pub const ALL: &[(&str, &str)] = &[ $( ($ja, $en) ),* ];
    };
}

labels! {
    /// Chooses a story.
    story: "ストーリー", "Story";
    /// Leads a warning.
    warning: "警告: ", "warning: ";
    /// Opens a scenario file.
    open_file: "ファイルを開く…", "Open a file…";
    /// Switches to the other language, named in that language.
    other_language: "English", "日本語";
    /// Switches between light and dark.
    theme: "ライト／ダークを切り替える", "Switch between light and dark";
    /// Opens the help.
    help: "ヘルプ", "Help";
    /// Closes a dialog.
    close: "閉じる", "Close";
    /// Leads the verdicts.
    up_to_here: "ここまでの結果", "Up to this step";
    /// Chooses the group that the verdicts and the stage are about.
    group_of_verdicts: "表示するグループ", "Group shown";
    /// Chooses which of many are listed.
    shown_part: "一覧の表示範囲", "Which of them are listed";
    /// Names the stage.
    stage: "ステージ", "Stage";
    /// Names the controls of time.
    transport: "再生の操作", "Playback";
    /// To the start.
    first: "最初へ", "First step";
    /// One step back.
    back: "1 ステップ戻る", "One step back";
    /// Plays.
    play: "再生", "Play";
    /// Stops playing.
    pause: "一時停止", "Pause";
    /// One step on.
    forward: "1 ステップ進む", "One step forward";
    /// To the end.
    last: "最後へ", "Last step";
    /// Speed of playing.
    speed: "再生速度", "Speed";
    /// The slider of the timeline.
    timeline: "タイムライン", "Timeline";
    /// The word step.
    step: "ステップ", "step";
    /// Names the side column.
    side: "解説", "Explanation";
    /// Shows the stage alone.
    present: "発表用に表示する", "Present";
    /// Shows an audience nothing.
    blank: "発表中に画面を暗くする", "Blank the screen while presenting";
    /// Announced when an audience is shown the stage.
    presenting: "発表用の表示です。Esc で戻ります。", "Presenting. Esc ends it.";
    /// Names the views beside the stage.
    inspector: "詳しく見る", "Look closer";
    /// Names the choice among them.
    panes: "表示の切り替え", "What is shown";
    /// The view of the records.
    records: "レコード", "Records";
    /// The view of who said what to whom.
    sequence: "シーケンス", "Sequence";
    /// Shows also what goes on all the time.
    chatter: "ハートビートとフェッチも表示", "Heartbeats and fetches";
    /// Shows the sequence diagram as a list.
    sequence_as_list: "一覧で読む", "As a list";
    /// Leads to what was before what is drawn.
    sequence_earlier: "これより前", "Earlier";
    /// Nothing has been sent.
    sequence_empty: "ここまでに送られたメッセージはありません。", "No message has been sent up to here.";
    /// Names the heads of the sequence diagram.
    lifelines: "ライフライン", "Lifelines";
    /// The broker that coordinates a group.
    coordinator: "コーディネーター", "coordinator";
    /// The end of what is drawn.
    now: "現在", "now";
    /// The view of the lag over time.
    lag_over_time: "ラグ", "Lag";
    /// What a plot of the lag measures.
    lag_in_records: "ラグ（レコード数）", "Lag in records";
    /// What the other measures.
    lag_as_age: "未コミットの先頭レコードの経過時間", "Age of the first record not committed";
    /// The stretch of time that a view shows.
    stretch_shown: "表示する時間の範囲", "Time shown";
    /// All of it.
    whole_run: "全体", "whole run";
    /// Shows less time.
    zoom_in: "拡大", "Zoom in";
    /// Shows more time.
    zoom_out: "縮小", "Zoom out";
    /// A column of the partitions.
    partition: "パーティション", "Partition";
    /// The column of what is committed.
    committed_offset: "コミット済み", "Committed";
    /// The column of the end of the log.
    log_end: "ログ末尾", "Log end";
    /// The column of how old something is.
    age: "経過時間", "Age";
    /// What the lag counts from.
    lag_counts_from: "ラグ = ログ末尾オフセット − コミット済みオフセット。縦線はリバランスの開始です。", "Lag = log end offset − committed offset. Vertical lines are the starts of rebalances.";
    /// Selects something in all views.
    mark_everywhere: "図と各ビューで強調表示する", "Mark it in the picture and in every view";
    /// Leads all settings.
    settings_now: "この時点の設定", "Settings at this moment";
    /// How they are ordered.
    changed_first: "デフォルトと異なるものを先に並べています。押すと値を変えられます。", "What differs from its default comes first. Press one to change it.";
    /// Where there is no group.
    no_group: "このシナリオにはコンシューマーグループがありません。", "There is no consumer group in this scenario.";
    /// The view of all settings.
    all_settings: "設定", "Settings";
    /// The lab.
    build: "作る", "Build";
    /// Leads the reasons.
    why: "なぜ", "Why";
    /// Leads the rule behind a step.
    rule: "Kafka の仕様", "The rule in Kafka";
    /// Leads the settings of a step.
    settings: "関係する設定", "Settings that made it so";
    /// Leads the worked-out numbers.
    numbers: "計算", "The numbers";
    /// Leads the chain of causes.
    because: "ここまでの経緯", "How it came to this";
    /// Folds the side column away.
    to_question: "下の問題に答える", "Answer the question below";
    hide_side: "解説を閉じる", "Hide the explanation";
    /// Brings it back.
    show_side: "解説を開く", "Show the explanation";
    /// Leads the text twin.
    as_text: "この場面を文字で読む", "Read this scene as text";
    /// A producer.
    producer: "プロデューサー", "producer";
    /// A consumer.
    consumer: "コンシューマー", "consumer";
    /// The record that is sent next.
    next_record: "次に送る", "next";
    /// The record that is being sent.
    sending: "送信中", "sending";
    /// A topic.
    topic: "トピック", "topic";
    /// A group.
    group: "グループ", "group";
    /// A table without a unique key.
    no_unique_key: "ユニークキーなし", "no unique key";
    /// A committed offset.
    committed: "コミット", "committed";
    resumes: "再開", "resumes";
    database_down: "停止中", "down";
    /// Nothing is committed yet.
    no_commit: "コミットなし", "no commit yet";
    /// A position.
    position: "ポジション", "position";
    /// Draws all partitions and members.
    all_rows: "すべての行を表示", "Show every row";
    /// The lag.
    lag: "ラグ", "lag";
    /// Nobody reads a partition.
    nobody_reads: "読み手なし", "nobody reads";
    /// The same where there is little room.
    nobody: "不在", "nobody";
    /// Leads the questions.
    question: "予想してみましょう", "What do you think?";
    /// An answer was right.
    right: "正解です。", "Right.";
    /// An answer was wrong.
    wrong: "不正解です。この実行での答え:", "Not quite. The run says";
    /// Leads what a person has branched off.
    own_run: "ここからはあなたの実行です。ストーリーの解説は、元の流れに戻ると続きます。何が起きたかは「なぜ」で確かめられます。", "From here on this is your own run. The story goes on when you return to it; Why tells what happens here.";
    /// Unfolds the chain of causes.
    show_all_causes: "すべて表示", "Show all";
    /// Marks what a person did.
    by_hand: "手動の操作", "by hand";
    /// Marks what the scenario says.
    by_scenario: "シナリオ", "the scenario";
    /// Marks what comes from an application that is too slow.
    by_slowness: "処理の遅れ", "slow application";
    /// Marks what the clock brings.
    by_clock: "時間の経過", "the clock";
    /// Offers other values of a setting.
    other_values: "別の値を試す", "Try another value";
    /// Leads values that apply at once.
    fixed: "ここでは変更できません", "Not to be changed here";
    /// Plays or pauses, in the list of keys.
    toggle: "再生／一時停止", "Play or pause";
    /// Goes on after a question.
    go_on: "続きを見る", "See what happens";
    /// Back to the story.
    back_to_story: "元のストーリーに戻る", "Back to the story";
    /// Leads the branches that can be put beside the one that is looked at.
    compare_with: "比較する相手", "Compare with";
    /// Puts the story's run beside one's own.
    compare_with_story: "元のストーリーと比較", "Compare with the story's run";
    /// Names runs beside each other.
    comparison: "実行の比較", "Runs beside each other";
    /// Ends that.
    end_comparison: "1 つの実行に戻る", "Back to one run";
    /// Lets the buttons step another of the runs.
    step_this: "この実行を進める", "Step this run";
    /// The run that they step; the others follow.
    is_stepped: "操作中", "stepped";
    /// A result that is not the same in all runs.
    differs: "違いあり", "differs";
    /// How long nobody has worked on partitions, over all of them.
    stood_still: "パーティションの停止", "Partitions stood still";
    /// The runs are not known to their ends yet.
    working_out: "最後まで計算しています…", "Working out both to the end…";
    /// The branch of the story itself.
    story_branch: "元のストーリー", "The story";
    /// Leads the choice of branches.
    branch: "分岐", "Branch";
    /// The run has as many steps as it may have.
    step_limit: "ステップ数の上限（1,000,000）に達したため、この先は計算できません。", "The run has reached the limit of 1,000,000 steps and cannot go on.";
    /// No further branch.
    too_many_branches: "分岐が多すぎます。シナリオを開き直してください。", "There are too many branches. Please open the scenario again.";
    /// A file has mistakes.
    file_has_mistakes: "このファイルは開けません。表示中の内容はそのままです。", "This file cannot be opened. The page stays as it was.";
    /// A file has been opened and has warnings.
    file_has_warnings: "ファイルを開きました。ただし、次の点を確かめてください。", "The file is open. Please check this:";
    /// A file is too large.
    file_too_large: "ファイルが大きすぎます（上限 1 MiB）。", "The file is too large (at most 1 MiB).";
    /// A file cannot be read.
    file_unreadable: "ファイルを読み込めませんでした。", "The file could not be read.";
    /// A file is being read.
    reading_file: "ファイルを読み込んでいます…", "Reading the file…";
    /// What reads files is not there.
    no_reader: "ファイルを読むためのプログラムを読み込めませんでした。通信の状態を確認して、もう一度ファイルを選んでください。直らなければ、ページを再読み込みしてください。", "The part of logstep that reads files could not be loaded. Please check the connection and choose the file again. If that does not help, reload the page.";
    /// Something is being computed.
    computing: "先の展開を計算しています…", "Working out what comes next…";
    /// Leads the keys in the help.
    keys: "キー操作", "Keys";
    /// Leads the legend in the help.
    how_to_read: "ステージの見方", "How to read the stage";
    /// Before the first step, where there may be no keys.
    before_start_by_touch: "まだ何も起きていません。再生ボタンで始めます。", "Nothing has happened yet. Press Play to begin.";
    /// Before the first step.
    before_start: "まだ何も起きていません。→ キーか再生ボタンで始めます。", "Nothing has happened yet. Press → or Play to begin.";
    /// To the next mark of the timeline.
    next_mark: "次の出来事へ（クラッシュ、リバランスなど）", "Next crash, rebalance, …";
    /// To the mark before.
    previous_mark: "前の出来事へ（クラッシュ、リバランスなど）", "Previous crash, rebalance, …";
    /// Opens the menu of places in time.
    go_to: "移動", "Go to";
    /// Leads the menu of places in time.
    go_to_moment: "移動先", "Go to";
    /// Every event is a step.
    every_event: "すべてのイベントを 1 ステップにする", "Every event is a step";
    /// Says what every event adds.
    every_event_adds: "ハートビートや空の poll() なども表示します", "heartbeats, empty polls and the like, too";
    /// There is no such moment.
    no_such_moment: "この先にはありません", "none from here on";
    /// There was no such moment.
    no_such_moment_before: "ここより前にはありません", "none before";
    /// The event at hand, among all.
    event: "イベント", "event";
    /// Takes back what was done by hand.
    undo: "操作を取り消す", "Undo the action";
    /// Does it again.
    redo: "操作をやり直す", "Redo the action";
    /// As fast as possible.
    fastest: "最速", "max";
    /// Names what an address says.
    link: "リンク", "Link";
    /// The run of a link goes differently here.
    link_elsewhere: "このリンクは別のバージョンで作られたため、実行の流れが変わっています。同じ時刻の場面を表示しています。", "This link comes from another version, and the run goes differently now. The same simulated time is shown.";
    /// The scenes of the story.
    beats: "場面", "Scenes";
    /// Leads the number of a scene.
    scene: "場面", "scene";
    /// To the scene before.
    previous_scene: "前の場面", "Previous scene";
    /// To the next scene.
    next_scene: "次の場面", "Next scene";
    /// Leads the summary of a finished run.
    outcome: "実行結果", "Outcome of the run";
    /// Leads the digest of a finished run.
    digest: "この実行のフィンガープリント（SHA-256）", "Fingerprint of the run (SHA-256)";
    /// Offers another version of the page.
    new_version: "新しいバージョンを利用できます", "A new version is ready";
    /// Opens it.
    reload: "再読み込み", "Reload";
    /// Leads the terms in the help.
    about: "このページについて", "About this page";
    /// To a host whose action was being read.
    opened_meanwhile: "読み取っている間に、別のシナリオが開かれました。", "Another scenario was opened meanwhile.";
    /// In a figure: leads to the page itself, at the same place.
    open_page: "logstep で開く", "Open in logstep";
    /// Opens the menu of what can be shared and taken along.
    take_along: "共有・書き出し", "Share and export";
    /// Names what is taken along.
    export: "書き出す", "Export";
    /// Opens the dialog that shares what is shown.
    share: "共有・埋め込み…", "Share or embed…";
    /// Leads the figure that can be embedded.
    figure: "図として埋め込む", "Embed as a figure";
    /// A choice of a figure: with what the run comes to.
    shows_verdicts: "ここまでの結果", "results";
    /// A choice of a figure: with the timeline.
    shows_timeline: "タイムライン", "timeline";
    /// A choice of a figure: with what its signs mean.
    shows_legend: "凡例", "legend";
    /// A choice of a figure: with the story.
    shows_story: "ストーリー", "story";
    /// A choice of a figure: with the explanation.
    shows_why: "「なぜ」", "explanation";
    /// A choice of a figure: with the stage as text.
    shows_text: "文字による説明", "scene as text";
    /// Chooses the language of a figure.
    language: "言語", "Language";
    /// The language of a figure: that of whoever reads it.
    as_reader_speaks: "読者のブラウザーに合わせる", "the reader's";
    /// Chooses the colours of a figure.
    colours: "配色", "Colours";
    /// The colours of a figure: those of whoever reads it.
    as_reader_sees: "読者の環境に合わせる", "the reader's";
    /// Dark on light.
    light: "ライト", "light";
    /// Light on dark.
    dark: "ダーク", "dark";
    /// A choice of a figure: it plays by itself.
    plays_in_sight: "画面に入ったら自動再生", "plays when it comes into sight";
    /// A figure as a frame.
    as_frame: "iframe（スクリプト不要）", "Frame, without script";
    /// A figure as an element.
    as_element: "要素（高さの自動調整と API）", "Element, resizes itself and has an API";
    /// A figure as it will be.
    preview: "プレビュー", "Preview";
    /// Copies a text.
    copy: "コピー", "Copy";
    /// What is shown does not fit into an address.
    link_too_long: "この状態はリンクに収まりません。代わりに、シナリオファイルを書き出して渡してください。", "What is shown is too much for a link. Please pass on the scenario file instead.";
    /// Leads what can be taken along of the step that is shown.
    this_step: "このステップ", "This step";
    /// Copies the step as text.
    copy_step: "文章をコピー", "Copy as text";
    /// Leads the stage as a picture.
    picture: "この場面の画像", "Picture of the stage";
    /// Leads what can be taken along of the run.
    this_run: "実行の全体", "The whole run";
    /// The run in sentences.
    transcript: "経過（テキスト）", "Transcript (text)";
    /// What the run came to.
    outcome_as_json: "実行結果（JSON）", "Outcome (JSON)";
    /// Each processing of a record.
    ledger: "処理の記録（CSV）", "Ledger (CSV)";
    /// The scenario file.
    scenario_file: "シナリオファイル（JSON）", "Scenario file (JSON)";
    /// An export is being made.
    exporting: "書き出しています…", "Exporting…";
    /// Stops it.
    cancel: "キャンセル", "Cancel";
    /// A text was copied.
    copied: "コピーしました。", "Copied.";
    /// A file was handed to the browser.
    exported: "書き出しました。", "Exported.";
    /// Leads what the browser may not save or copy.
    by_hand_instead: "ほかのページに埋め込まれている場合など、ブラウザーが保存やコピーを許可しないことがあります。その場合は、次の内容を直接コピーしてください。", "A browser may forbid saving and copying, for instance in a page inside another. If it does, copy this by hand.";
    /// A picture could not be made.
    no_png: "このサイトのセキュリティ設定などにより、PNG の画像を作れませんでした。代わりに SVG を書き出してください。", "The PNG could not be made; the security policy of this site may forbid it. Please export SVG instead.";
    /// Saves a file.
    save: "保存:", "Save";
    /// An export could not be made.
    export_failed: "書き出せませんでした。もう一度試しても直らなければ、ページを再読み込みしてください。", "The export did not succeed. If it does not the next time either, reload the page.";
    /// A place in a chain.
    go_to_step: "このステップへ移動", "Go to this step";
}
