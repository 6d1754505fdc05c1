// Says in words why the page cannot start or has stopped. Kept to the oldest JavaScript, since a
// browser that is too old has to be able to run it. load.js does the starting.
(function () {
  "use strict";

  var MESSAGES = {
    "no-wasm": [
      "このブラウザーでは WebAssembly を使えません（無効になっているか、対応していません）。設定を確認するか、別のブラウザーで開いてください。",
      "WebAssembly is switched off or missing in this browser, and logstep needs it. Please check the browser's settings or use another browser."
    ],
    "too-old": [
      "このブラウザーは古いため、logstep を動かせません。Chrome 97、Edge 97、Firefox 113、Safari 16.4 以降で開いてください。",
      "This browser is too old to run logstep. Please use Chrome 97, Edge 97, Firefox 113, Safari 16.4 or later."
    ],
    refused: [
      "このページのコンテンツセキュリティポリシーが WebAssembly を許可していません。このページの管理者に知らせてください。",
      "The content security policy of this page does not allow WebAssembly. Please tell whoever runs this page."
    ],
    network: [
      "プログラムを読み込めませんでした。通信の状態を確認して、再読み込みしてください。",
      "The program could not be loaded. Please check the connection, then reload."
    ],
    damaged: [
      "サーバーから届いたプログラムが、壊れているか、別の内容になっています。再読み込みしても直らなければ、このページの管理者に知らせてください。",
      "What the server sent is damaged or is not the program. If reloading does not help, please tell whoever runs this page."
    ],
    stopped: [
      "内部エラーのため停止しました。再読み込みすると、やり直せます。",
      "logstep has stopped because of an internal error. Reload to start again."
    ]
  };

  // What a reload cannot change.
  var LASTING = ["no-wasm", "too-old", "refused"];

  var root = document.documentElement;
  var failed = false;

  function paragraph(text, lang, className) {
    var p = document.createElement("p");
    p.lang = lang;
    p.className = className;
    p.textContent = text;
    return p;
  }

  // Only the first failure is shown; later ones are its consequences.
  function fail(kind, detail) {
    if (failed) return;
    failed = true;
    root.className += " boot-failed";
    root.setAttribute("data-boot", kind);

    var box = document.getElementById("boot-message");
    box.appendChild(paragraph(MESSAGES[kind][0], "ja", "boot-problem"));
    box.appendChild(paragraph(MESSAGES[kind][1], "en", "boot-problem"));
    if (detail) box.appendChild(paragraph(String(detail), "en", "boot-detail"));
    if (LASTING.indexOf(kind) < 0) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = "再読み込み / Reload";
      button.onclick = function () { location.reload(); };
      box.appendChild(button);
    }
    box.hidden = false;
    // The page around, if there is one, may have something to show in its place.
    if (window.parent !== window) {
      window.parent.postMessage({ logstep: 1, type: "error", code: "failed", message: MESSAGES[kind].join(" / ") }, "*");
    }
  }

  function started() {
    root.className += " boot-started";
    root.setAttribute("data-boot", "started");
  }

  // The smallest module that uses what today's Rust compiler takes for granted: reference types,
  // several results, bulk memory, saturating conversion and sign extension.
  var PROBE = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 12, 2, 96, 1, 124, 2, 127, 127, 96, 0, 2, 127, 127, 3, 2, 1, 0, 4, 4, 1, 111, 0, 1,
    5, 3, 1, 0, 1, 10, 20, 1, 18, 0, 65, 0, 65, 0, 65, 0, 252, 11, 0, 32, 0, 252, 2, 65, 0, 192, 11
  ];

  if (!window.WebAssembly) return fail("no-wasm");
  // CompressionStream is what Safari and Firefox had last of all that the page takes for granted.
  if (!("noModule" in HTMLScriptElement.prototype) || !window.CompressionStream || !WebAssembly.validate(new Uint8Array(PROBE))) {
    return fail("too-old");
  }

  // A script that does not arrive, and with it load.js, which could not say so itself. Such events
  // do not bubble, so they are caught on their way down.
  window.addEventListener("error", function (event) {
    if (event.target && event.target.tagName === "SCRIPT") fail("network", event.target.src);
  }, true);

  // A trap inside the program: what a Rust panic becomes. Its text is in the console.
  function onTrap(error) {
    if (error instanceof WebAssembly.RuntimeError) fail("stopped", error);
  }
  window.addEventListener("error", function (event) { onTrap(event.error); });
  window.addEventListener("unhandledrejection", function (event) { onTrap(event.reason); });

  window.logstepBoot = { fail: fail, started: started };
})();
