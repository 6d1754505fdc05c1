//! Who writes what.

use super::Table;
#[cfg(not(target_arch = "wasm32"))]
use super::prelude::*;

tables! {
    PRODUCING "Producers" "プロデューサー",
        "A producer writes either a list of records, each with its moment, or a workload at a steady rate."
        "プロデューサーは、時刻を指定したレコードの一覧か、一定のペースで続く workload のどちらかを書き込みます。";

    table PRODUCER "producer",
        "A producer."
        "プロデューサーです。",
        required {
            "name" = "client.id": Name,
                "Its name, different from all other producers."
                "名前。ほかのプロデューサーと重複しない名前にします。";
            "topic": Ref(Kind::Topic),
                "The topic that it writes to."
                "書き込み先のトピック。";
        }
        optional {
            "client": Object(&CLIENT),
                default Default::Words(Text { en: "the Java client of the cluster's version", ja: "クラスターと同じバージョンの Java クライアント" }),
                "Its client library."
                "使うクライアントライブラリ。";
            "settings": Object(&PRODUCER_SETTINGS), default Default::Json("{}"),
                "Its settings."
                "プロデューサーの設定。";
            "records": List(&Object(&RECORD), 0, bounds::RECORDS),
                "What it writes. The list may be in any order; records of one moment keep the order of the file."
                "書き込むレコード。順番は問いません。同じ時刻のレコードは、ファイルに書いた順に送られます。";
            "workload": Object(&WORKLOAD),
                "What it writes, as a rate."
                "書き込む量とペース。";
        }
        rules { Rule::OneOf(&[&["records"], &["workload"]]) }

    table PRODUCER_SETTINGS "producer_settings",
        "Settings of a producer."
        "プロデューサーの設定です。",
        required {}
        optional {
            kafka "linger.ms": Millis(0, MOST_INT), default Default::ByVersion(&[("2.0", "0"), ("4.0", "5")]),
                "How long a batch that is not full waits for more records (KIP-1030)."
                "満杯になっていないバッチが、後続のレコードを待つ時間（KIP-1030）。";
        }

    table RECORD "record",
        "A record and the moment at which the application sends it."
        "レコードと、アプリケーションがそれを送る時刻です。",
        required {
            "at": Moment,
                "When the application calls `send()`."
                "アプリケーションが `send()` を呼ぶ時刻。";
            "key": Str,
                "The key. Its UTF-8 bytes decide the partition, by the same hash (murmur2) as in the Java client."
                "キー。UTF-8 のバイト列から、Java クライアントと同じハッシュ（murmur2）でパーティションが決まります。";
            "value": Str,
                "The value."
                "値。";
        }
        optional {}

    table WORKLOAD "workload",
        "Records at a steady rate, each with a key drawn at random."
        "一定のペースで送るレコードです。キーは 1 件ごとに乱数で選ばれます。",
        required {
            "per_second": Whole(1, MOST_PER_SECOND as u64),
                "How many records in a second."
                "1 秒あたりのレコード数。";
            "records": Whole(1, bounds::RECORDS as u64),
                "How many records in all. The last one may not be later than `ends_at`."
                "全部で何件か。最後のレコードの時刻は、`ends_at` を超えられません。";
            "keys": Whole(1, bounds::KEYS as u64),
                "How many different keys there are."
                "キーの種類数。";
        }
        optional {
            "from": Moment, default Default::Json("\"0s\""),
                "When the first record is sent."
                "最初のレコードを送る時刻。";
            "key_prefix": Str, default Default::Json("\"key-\""),
                "The keys are this text followed by 1, 2, 3, ... Workloads with the same prefix share their keys."
                "キーは、この文字列に 1、2、3、… を付けたものです。接頭辞が同じ workload は、同じキーを使います。";
            "weights": List(&Whole(1, MOST_WEIGHT as u64), 1, bounds::KEYS),
                default Default::Words(Text { en: "every key is equally likely", ja: "どのキーも同じ確率" }),
                "How often each key is drawn, in proportion: one number for each key. `[8, 1, 1]` gives the first key 80 % of the records."
                "各キーが選ばれる割合。キー 1 種類につき数値を 1 つ書きます。`[8, 1, 1]` なら、最初のキーがレコードの 80 % を占めます。";
            "value": Str, default Default::Json("\"event\""),
                "The value of every record."
                "全レコードに共通の値。";
        }
}
