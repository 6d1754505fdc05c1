// Pages of somebody else that have figures in them, and what goes back and forth between the two.

import { createServer } from "node:http";
import { after } from "node:test";
import { HEADERS } from "../../scripts/serve-static.mjs";
import { pageTest } from "./page.mjs";

// Runs first in every window: the page that has the figure keeps what it is told, and where to it was sent.
const KEEP_TOLD = () => {
  if (window.parent !== window) return;
  window.told = [];
  window.addEventListener("message", ({ data, origin, source }) => told.push({ ...data, origin, from: Array.from(window).indexOf(source) }));
};

// Runs first in a figure: what host.js asks the app is kept, and the app does not hear it; a test answers in its place, or
// lets everything be done.
const KEEP_ASKED = () => {
  if (window.parent === window) return;
  window.asked = [];
  window.addEventListener("logstep-host", (event) => {
    event.stopImmediatePropagation();
    asked.push(event.detail);
    if (window.answersItself) logstepBoot.replied(event.detail.id);
  });
};

// The address of a page of another site than the figures. It is really sent, since a browser lets no page that did not come
// from this computer have frames that do.
async function served(headers, html) {
  const server = createServer((request, response) => {
    if (request.url === "/") response.writeHead(200, headers).end(html);
    else response.writeHead(204).end();
  });
  await new Promise((done) => server.listen(0, "localhost", done));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${server.address().port}/`;
}

// As pageTest, with a page of somebody else in place of the page:
//   body       (url) => what is in it, where `url` is that of the figures
//   elsewhere  true if it is a page of another origin than the figures
//   policy     its content security policy; else the strictest that lets it have figures
//   app        true if the app is to hear what the figure is asked
export function hostTest(name, { body, elsewhere = false, policy, app = false, dir = "ltr", ...options }, check) {
  pageTest(name, {
    ...options, wait: "nothing", expect: [...(options.expect ?? []), ...(elsewhere ? [/request to another host/] : [])],
  }, async (given) => {
    const { page, url } = given;
    const { origin } = new URL(url);
    const strict = `default-src 'self'; script-src ${origin}; frame-src ${origin}; base-uri 'none'; form-action 'none'`;
    const headers = { ...HEADERS, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy ?? strict };
    const html = `<!doctype html><html lang="en" dir="${dir}"><title>Somebody's page</title><link rel="icon" href="icons/icon.svg"><main>${body(url)}</main></html>`;
    const address = elsewhere ? await served(headers, html) : new URL("host.html", url).href;
    if (!elsewhere) await page.route(address, (route) => route.fulfill({ headers, body: html }));
    await page.addInitScript(KEEP_TOLD);
    if (!app) await page.addInitScript(KEEP_ASKED);
    await page.goto(address);
    await check({ ...given, frame: () => frame(page) });
  });
}

export async function frame(page, number = 0) {
  return (await page.locator("iframe").nth(number).elementHandle()).contentFrame();
}

// The types of what was told so far, without the heights, which come when they come.
export const types = (page) => page.evaluate(() => told.map(({ type }) => type).filter((type) => type !== "height"));

export const send = (page, ...messages) => page.evaluate((messages) => {
  for (const message of messages) document.querySelector("iframe").contentWindow.postMessage(message, "*");
}, messages);

// What was told with this id, or of this type; waits for it.
export async function toldOf(page, wanted) {
  const found = await page.waitForFunction((wanted) => told.find(({ id, type }) => id === wanted || type === wanted), wanted);
  const { origin, from, logstep, ...message } = await found.jsonValue();
  return message;
}

// Says hello as soon as the figure is ready. By then everything that was sent before has been heard.
export async function hello(page, id = "hello") {
  await toldOf(page, "ready");
  await send(page, { logstep: 1, type: "hello", id });
  await toldOf(page, id);
}
