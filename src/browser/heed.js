// Translation in a page, by a worker that runs heed.wasm:
//   const translator = await Heed.load(bytes);
//   const { translations } = await translator.translate("A man sleeps.", { beam: 5, nbest: 3, attention: true });
var Heed = (() => {
  const here = typeof document !== "undefined" && document.currentScript ? document.currentScript.src : "";

  // True where WebAssembly has f32x4.relaxed_madd, which this module calls.
  const canFuse = () => WebAssembly.validate(Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0,
    65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 133, 2, 11));

  async function bytesOf(url) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
  }

  class Translator {
    constructor(worker, progress) {
      this.worker = worker;
      this.waiting = new Map();
      this.number = 0;
      worker.onmessage = ({ data }) => {
        if (data.progress) return progress(data.progress);
        const { resolve, reject } = this.waiting.get(data.number);
        this.waiting.delete(data.number);
        if (data.error === undefined) resolve(data.answer);
        else reject(new Error(data.error));
      };
      worker.onerror = (event) => {
        for (const { reject } of this.waiting.values()) reject(new Error(event.message || "the worker cannot run"));
        this.waiting.clear();
      };
    }

    call(call, argument, transfer = []) {
      const number = ++this.number;
      return new Promise((resolve, reject) => {
        this.waiting.set(number, { resolve, reject });
        this.worker.postMessage({ number, call, argument }, transfer);
      });
    }

    // options: the fields of POST /translate (docs/serving.md), such as beam, nbest, attention, prefix.
    // Answers {"translations": [{"text", "score", …}], "warnings": […], …}.
    async translate(text, options = {}) {
      return (await this.call("translate", { text, ...options })).lines[0];
    }

    end() {
      this.worker.terminate();
    }
  }

  // bytes: an ArrayBuffer with a packed model (`heed pack`), which moves to the worker. options: name;
  // progress(text); worker and wasm where they are not beside this file: the address of heed-worker.js, and an
  // ArrayBuffer with heed.wasm, or with heed-plain.wasm where canFuse() is false.
  async function load(bytes, { name = "model", progress = () => {}, worker, wasm } = {}) {
    const translator = new Translator(new Worker(worker || new URL("heed-worker.js", here)), progress);
    try {
      wasm ??= await bytesOf(new URL(canFuse() ? "heed.wasm" : "heed-plain.wasm", here));
      translator.facts = await translator.call("open", { wasm, model: bytes, name }, [wasm, bytes]);
    } catch (error) {
      translator.end();
      throw error;
    }
    return translator;
  }

  return { load, canFuse };
})();
