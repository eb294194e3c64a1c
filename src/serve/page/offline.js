"use strict";
// The engine of a page that `heed export page` wrote: what a server would do is done in a worker. The page holds the
// model, the module and the worker as text.

const offline = (() => {
  let translator;
  const held = (id) => document.getElementById(id).textContent.trim();

  // The bytes of base64. Not every browser has the first way.
  function bytesOf(id) {
    const text = held(id);
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
    return bytes.buffer;
  }

  function unpacked(bytes) {
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  async function models(say) {
    say("unpacking …");
    const worker = URL.createObjectURL(new Blob([held("heed-worker")], { type: "text/javascript" }));
    translator = await Heed.load(bytesOf("model-bytes"), {
      name: document.title, wasm: await unpacked(bytesOf(Heed.canFuse() ? "heed-wasm" : "heed-wasm-plain")), worker, progress: (what) => say(what + " …"),
    });
    return translator.facts;
  }

  // A text that was typed over while others were translated is left out.
  let last = Promise.resolve();
  async function* translate(body, signal) {
    await last.catch(() => {});
    if (signal.aborted) return;
    const { text, model, ...options } = body;
    last = translator.translate(text, options);
    yield { name: "line", data: await last };
  }

  return { models, translate };
})();
