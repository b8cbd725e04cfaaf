// Starts the page, or says what keeps it from starting.

const SUPPORTED = "Chrome or Edge 111, Firefox 121, Safari 16.4, or newer";

// The smallest module with a vector instruction: () => v128.const 0, dropped.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 11,
]);

function say(text) {
  const fallback = document.createElement("p");
  fallback.className = "fallback";
  fallback.setAttribute("role", "alert");
  fallback.textContent = text;
  document.body.replaceChildren(fallback);
}

if (typeof WebAssembly !== "object") {
  say(`This browser has no WebAssembly, which extscope is made of. It needs ${SUPPORTED}.`);
} else if (!WebAssembly.validate(SIMD)) {
  say(`This browser's WebAssembly has no vector instructions (simd128). extscope needs ${SUPPORTED}.`);
} else {
  const { js, wasm } = document.querySelector("script[data-js]").dataset;
  // What breaks in the page's own code ends it; only a new start helps.
  const broke = (what) => say(`Something in extscope broke: ${what}. This is a fault of the program, not of your image. Load the page again.`);
  addEventListener("error", ({ error }) => error instanceof WebAssembly.RuntimeError && broke(error.message));
  addEventListener("unhandledrejection", ({ reason }) => reason instanceof WebAssembly.RuntimeError && broke(reason.message));
  try {
    const { default: init } = await import(new URL(js, document.baseURI));
    await init({ module_or_path: new URL(wasm, document.baseURI) });
  } catch (error) {
    say(`extscope could not start: ${error}. Load the page again; if that does not help, its files are not complete.`);
    throw error;
  }
}
