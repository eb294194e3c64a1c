// Runs the module: in a worker of a page, which sends messages (heed.js), or in node, by Engine.
class Engine {
  constructor(module) {
    this.module = module;
  }

  // wasm: the bytes of heed.wasm.
  static async create(wasm) {
    return new Engine(await createHeed({ wasmBinary: wasm }));
  }

  // model: the bytes of a packed model. Answers {"models": […], "limits": {…}, "card": "…"}.
  open(model, name) {
    const path = name + ".heed";
    this.module.FS.writeFile(path, model, { canOwn: true });
    try {
      return this.call("heed_open", path, name);
    } finally {
      this.module.FS.unlink(path);  // the engine has a copy
    }
  }

  // body: as that of POST /translate (docs/serving.md), and so is the answer.
  translate(body) {
    return this.call("heed_translate", JSON.stringify(body));
  }

  call(name, ...texts) {
    const text = this.module.ccall(name, "string", texts.map(() => "string"), texts);
    const answer = JSON.parse(text);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  let engine;
  const work = {
    async open({ wasm, model, name }) {
      postMessage({ progress: "starting" });
      engine = await Engine.create(wasm);
      postMessage({ progress: "reading the model" });
      return engine.open(new Uint8Array(model), name);
    },
    translate: (body) => engine.translate(body),
  };
  onmessage = async ({ data: { number, call, argument } }) => {
    try {
      postMessage({ number, answer: await work[call](argument) });
    } catch (error) {
      postMessage({ number, error: error.message });
    }
  };
} else if (typeof module !== "undefined") {
  module.exports = { Engine };
}
