// When a page has drawn what it has been told.

// Runs in the page: waits until it has drawn. Yew puts drawing off, once it has taken 16 ms, to a timer of at most 4 ms; so a
// page in which nothing changes for 5 ms has nothing left to draw. While it plays, that is between two frames, or never.
export const SETTLED = `async () => {
  await new Promise((done) => setTimeout(done));
  let changed = true;
  const observer = new MutationObserver(() => { changed = true; });
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let looks = 0; changed && looks < 50; looks++) {
    changed = false;
    await new Promise((done) => setTimeout(done, 5));
  }
  observer.disconnect();
}`;

export const settled = (pageOrFrame) => pageOrFrame.evaluate(`(${SETTLED})()`);
