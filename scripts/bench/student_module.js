// Translates lines by the module for browsers, in node. student_targets.py calls it.
//   node student_module.js FOLDER_OF_THE_MODULE MODULE PACKED_MODEL BEAM < TEXT       MODULE: heed.wasm or heed-plain.wasm
const fs = require("fs");
const [folder, wasm, model, beam] = process.argv.slice(2);
const { Engine } = require(require("path").resolve(folder, "heed-worker.js"));

(async () => {
  const engine = await Engine.create(fs.readFileSync(`${folder}/${wasm}`));
  engine.open(new Uint8Array(fs.readFileSync(model)), "student");
  const lines = fs.readFileSync(0, "utf8").split("\n").slice(0, -1);
  for (let first = 0; first < lines.length; first += 250) {
    const texts = lines.slice(first, first + 250);
    const answer = engine.translate({ texts, split: false, beam: Number(beam) });
    process.stdout.write(answer.lines.map((line) => line.translations[0].text + "\n").join(""));
  }
})();
