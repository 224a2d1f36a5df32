// The service worker of the static site: after one visit everything is kept, and the site works
// without a network. A new version of the site is kept beside the old one and used when all pages
// of the old one are closed.
// All sites of a host share its caches: the address of the site is in the name of each.
const OURS = `deduce $${self.registration.scope} `;
const VERSION = `$${OURS}$version`;
const MEMORY = `$${OURS}memory $folder`; // start.js keeps it
const FILES = $files;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(VERSION);
      await Promise.all(
        FILES.map(async (file) => {
          const response = await fetch(file);
          if (!response.ok) throw new Error(`${file}: ${response.status}`);
          await cache.put(file, response);
        }),
      );
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        const ours = name.startsWith(OURS);
        if (ours && name !== VERSION && name !== MEMORY) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  // Whatever else is in the folder, such as notebooks, is not kept.
  event.respondWith(
    (async () => {
      for (const name of [VERSION, MEMORY]) {
        const kept = await (await caches.open(name)).match(event.request, { ignoreSearch: true });
        if (kept) return kept;
      }
      return fetch(event.request);
    })(),
  );
});
