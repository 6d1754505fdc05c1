// Answers for the page when there is no network. A worker belongs to one build and answers with the files of that one
// only. The next build's worker waits until no page of this one is open, or until a person asks for it.
//
// scripts/dist.mjs puts in BUILD: the digest of a build, and its files, each with the digest that `fetch` checks.

const { scope } = self.registration;

// Of this path alone: elsewhere on the same host there may be another copy.
const CACHES = `logstep ${scope} `;
const CACHE = CACHES + BUILD.digest;

const FILES = new Map(Object.entries(BUILD.files).map(([file, integrity]) => [new URL(file, scope).href, integrity]));

// All files or none, and only as they are in this build: while a host is brought up to date, it has some of each.
async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...FILES].map(([url, integrity]) => new Request(url, { integrity, cache: "no-cache", redirect: "error" })));
}

async function clear() {
  // The build that is being fetched will do it; its own cache must not go.
  if (self.registration.installing) return;
  const old = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(file, request) {
  return (await caches.match(file, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("message", () => self.skipWaiting());
self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const file = (origin + pathname).replace(/\/index\.html$/, "/");
  if (FILES.has(file)) event.respondWith(answer(file, event.request));
});
