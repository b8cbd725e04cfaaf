// Opens the page without a network, once the person asked for that (`client/offline.rs`).
//
// Files are kept a build at a time: those that its index names, and the worker's. A newer build
// comes beside the one in use, takes over when the page is started again, and only then is the
// older one dropped: a page never has files of two.

const PREFIX = `extscope ${registration.scope} `;
const INDEX = registration.scope;

/** What the index does not name, since workers ask for it. */
const OF_WORKERS = ["worker_start.js", "worker.js", "worker_bg.wasm"];

/** Names of the builds that are here as a whole, the oldest first. */
async function builds() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX)).sort();
  const whole = await Promise.all(names.map(async (name) => (await caches.open(name)).match(INDEX)));
  return names.filter((_, i) => whole[i]);
}

/** Brings the build that the server has, unless it is here. Its index comes last, and says that all is there. */
async function bring() {
  const index = await fetch(INDEX, { cache: "no-cache" });
  if (!index.ok) throw new Error(`the page could not be fetched: ${index.status}`);
  const text = await index.clone().text();
  const newest = (await builds()).at(-1);
  const kept = newest && (await (await caches.open(newest)).match(INDEX));
  if (kept && (await kept.text()) === text) return;
  const named = [...text.matchAll(/\b(?:src|href|data-js|data-wasm)="([^"#:]+)"/g)].map(([, name]) => name);
  const files = new Set([...named, ...OF_WORKERS].map((name) => new URL(name, INDEX).href));
  const name = PREFIX + String(Date.now()).padStart(16, "0");
  const cache = await caches.open(name);
  try {
    await cache.addAll([...files].map((url) => new Request(url, { cache: "no-cache" })));
    await cache.put(INDEX, index);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/** Looks for a newer build, and says so when one came. Without a network there is none. */
async function renew() {
  await bring().catch(() => {});
  if ((await builds()).length < 2) return;
  for (const client of await clients.matchAll({ type: "window" })) client.postMessage("renewed");
}

/** The index of the newest build, whose turn begins. */
async function start(request) {
  const all = await builds();
  const newest = all.pop();
  await Promise.all(all.map((name) => caches.delete(name)));
  const index = newest && (await (await caches.open(newest)).match(INDEX));
  return index ?? fetch(request);
}

/** A file of the build in use, or else what the server has, of which samples are kept. */
async function file(request) {
  const [oldest] = await builds();
  if (!oldest) return fetch(request);
  const cache = await caches.open(oldest);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && request.url.startsWith(new URL("samples/", INDEX).href)) {
    await cache.put(request, response.clone());
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

addEventListener("message", (event) => {
  if (event.data !== "forget") return;
  const forget = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
    await Promise.all(names.map((name) => caches.delete(name)));
    await registration.unregister();
  };
  event.waitUntil(forget());
});
