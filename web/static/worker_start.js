// Starts a worker with the files of the build that its address names, so that a cache cannot mix
// builds.

const { search } = new URL(import.meta.url);
const { default: init } = await import(`./worker.js${search}`);
await init({ module_or_path: new URL(`./worker_bg.wasm${search}`, import.meta.url) });
