// Opens the page without a network, once the person asked for that (`client/offline.rs`).
//
// Files are kept a build at a time: those that its index names, and the worker's. A newer build
// comes beside the one in use. Its turn begins when no window is open, or when the person wants it;
// windows that are open then find out by themselves that their next worker is of another build.

const PREFIX = `extscope ${registration.scope} `;
const INDEX = registration.scope;

/** What the index does not name, since workers ask for it. */
const OF_WORKERS = ["worker_start.js", "worker.js", "worker_bg.wasm"];

/** Names of the builds that are here as a whole, the oldest first. */
async function builds() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX)).sort();
  const whole = await Promise.all(names.map((name) => kept(name, INDEX)));
  return names.filter((_, i) => whole[i]);
}

/** What the build `cacheName` has of a file. Opening a cache would bring back one just dropped. */
function kept(cacheName, file) {
  return caches.match(file, { cacheName, ignoreSearch: true });
}

/** The build that is being brought: one at a time. */
let bringing;

/** Whether the person wants nothing to be kept any more. */
let isForgotten = false;

function fetchIndex() {
  return fetch(INDEX, { cache: "no-cache" });
}

/** Brings the build that the server has, unless it is here. */
function bring() {
  bringing ??= bringNewest().finally(() => { bringing = undefined; });
  return bringing;
}

async function bringNewest() {
  const index = await fetchIndex();
  if (!index.ok) throw new Error(`the page could not be fetched: ${index.status}`);
  const text = await index.clone().text();
  const whole = await builds();
  const newest = whole.at(-1);
  if (newest && (await (await kept(newest, INDEX))?.text()) === text) return;
  await drop((name) => !whole.includes(name));
  const named = [...text.matchAll(/\b(?:src|href|data-js|data-wasm)="([^"#:]+)"/g)].map(([, name]) => name);
  const files = new Set([...named, ...OF_WORKERS].map((name) => new URL(name, INDEX).href));
  const name = PREFIX + String(Date.now()).padStart(16, "0");
  const cache = await caches.open(name);
  try {
    await cache.addAll([...files].map((url) => new Request(url, { cache: "no-cache" })));
    // The server may have got another build meanwhile, or the person changed their mind.
    if (isForgotten || (await (await fetchIndex()).text()) !== text) throw new Error("the page changed");
    // The index comes last, and says that all is there.
    await cache.put(INDEX, index);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/** Adds a file to the build `name`, unless it was dropped meanwhile. Its bytes come before the lock is held. */
async function addTo(name, request, response) {
  const whole = new Response(await response.blob(), response);
  await navigator.locks.request(PREFIX, async () => {
    if (await caches.has(name)) await (await caches.open(name)).put(request, whole);
  });
}

/** Drops the builds whose names `which` picks. */
function drop(which) {
  return navigator.locks.request(PREFIX, async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && which(name));
    await Promise.all(names.map((name) => caches.delete(name)));
  });
}

/** Tells windows when a newer build than theirs is here. */
async function tell(windows) {
  if ((await builds()).length < 2) return;
  for (const window of windows) window.postMessage("renewed");
}

/** Looks for a newer build of what is kept. Without a network there is none. */
async function renew() {
  if ((await builds()).length === 0) return;
  await bring().catch(() => {});
  await tell(await clients.matchAll({ type: "window" }));
}

/** Begins the turn of the newest build. */
async function turn() {
  const newest = (await builds()).at(-1);
  await drop((name) => name !== newest);
}

/** Whether any window stands on what is kept. */
async function isInUse() {
  return (await clients.matchAll({ type: "window" })).length > 0;
}

/** The index of the build whose turn it is; where none is kept, the service worker has no use. */
async function start(request) {
  if (!(await isInUse())) await turn();
  const [oldest] = await builds();
  if (!oldest) await registration.unregister();
  const index = oldest && (await kept(oldest, INDEX));
  return index ?? fetch(request);
}

/** A file of the build in use, or else what the server has, of which samples are kept. */
async function file(request) {
  const [oldest] = await builds();
  if (!oldest) return fetch(request);
  const here = await kept(oldest, request);
  if (here) return here;
  const response = await fetch(request);
  if (response.ok && request.url.startsWith(new URL("samples/", INDEX).href)) {
    // A device that is full keeps no sample, and opens it all the same.
    await addTo(oldest, request, response.clone()).catch(() => {});
  }
  return response;
}

addEventListener("install", (event) => event.waitUntil(bring()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(INDEX)) return;
  if (request.mode !== "navigate") {
    event.respondWith(file(request));
  } else if ([INDEX, `${INDEX}index.html`].includes(url.origin + url.pathname)) {
    const started = start(request);
    event.respondWith(started);
    event.waitUntil(started.then(renew));
  }
});

/** What windows may ask for. */
const ASKED = {
  "kept?": async ({ source }) => {
    source.postMessage((await builds()).length > 0 ? "kept" : "none");
    await tell([source]);
  },
  turn: async ({ source }) => {
    await turn();
    source.postMessage("turned");
  },
  keep: async ({ source }) => {
    isForgotten = false;
    source.postMessage(await bring().then(() => "kept", () => "not kept"));
  },
  forget: async () => {
    isForgotten = true;
    await drop(() => true);
    // A window that stands on this worker may want the files again; else the next start ends it.
    if (!(await isInUse())) await registration.unregister();
  },
};

addEventListener("message", (event) => event.waitUntil(ASKED[event.data]?.(event)));
