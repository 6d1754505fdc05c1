import { chromium } from "playwright-core";
import { findChrome } from "./find-chrome.mjs";
import { startServer } from "./serve-static.mjs";
const [file, out, lang="en", fs="0.3,0.6", w="1320", h="800", scheme="light"] = process.argv.slice(2);
const s=await startServer({root:process.env.LOGSTEP_DIST ?? "dist",prefix:"/"});
const b=await chromium.launch({executablePath:findChrome(),args:["--no-sandbox"]});
const p=await b.newPage({viewport:{width:+w,height:+h},locale:lang,colorScheme:scheme});
p.on("pageerror",e=>console.log("ERR",e.message));
await p.goto(s.url); await p.locator("#timeline").waitFor({state:"attached"});
if (file!=="-") { await p.locator("input[type=file]").setInputFiles(file); await p.waitForTimeout(2500); }
for (const f of fs.split(",")) {
 await p.evaluate(f=>{const t=document.querySelector("#timeline");t.value=f>1?f:Math.floor(t.max*f);t.dispatchEvent(new InputEvent("input",{bubbles:true}))},+f);await p.waitForTimeout(500);
 await p.screenshot({path:`${out}-${f}.png`});
}
await b.close(); await s.close();
