"use strict";
// The page of `heed serve`, and of `heed export page`, which has its own engine (offline.js): a sentence is translated
// while it is typed, and its attention is drawn.

const $ = (id) => document.getElementById(id);
const DELAY = 250;  // ms of rest after which what was typed is translated

const state = {
  models: [], limits: {}, request: null, timer: 0,
  line: null,       // the object of the last line that was translated
  chosen: 0,        // which of its translations is shown
  maps: [],         // {name, columns, rows, source, target, weights}
  cell: [0, 0],     // row and column in the map
};

function headers() {
  const token = sessionStorage.getItem("token");
  return { "Content-Type": "application/json", ...(token ? { Authorization: "Bearer " + token } : {}) };
}

async function call(path, body, signal) {
  const answer = await fetch(path, {
    method: body ? "POST" : "GET", headers: headers(), body: body && JSON.stringify(body), signal,
  });
  if (answer.ok) return answer;
  $("access").hidden = answer.status !== 401;
  if (answer.status === 401) $("token").focus();
  let message = answer.status + " " + answer.statusText;
  try { message = (await answer.json()).error; } catch (ignored) { /* no JSON: the status will do */ }
  throw new Error(message);
}

function say(text, isError = false) {
  $("state").textContent = text;
  $("state").classList.toggle("error", isError);
}

// The server's events, one after another.
async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const [name, data] = text.slice(0, end).split("\n");
      yield { name: name.slice("event: ".length), data: JSON.parse(data.slice("data: ".length)) };
    }
  }
}

// The place where translations are found: each function answers as the path of the server does. translate() gives events.
const server = {
  models: async () => (await call("models")).json(),
  translate: async function* (body, signal) { yield* events(await call("translate", { ...body, stream: true }, signal)); },
  attention: async (body) => (await call("attention", body)).json(),
};
let backend = server;

// ---------------------------------------------------------------- model and sources

const model = () => state.models[$("model").selectedIndex];
const inputs = () => model().inputs.filter((name) => !(name === "tag" && model().tags.length));

// True where the server translates each sentence, and each line, by itself.
const splits = () => model().splits && !$("summarize").checked;

function source() {
  const areas = [...document.querySelectorAll("#sources textarea")];
  const line = (area) => (splits() ? area.value.trim() : area.value.trim().replace(/\s*\n\s*/g, " "));
  if (areas.length === 1) return line(areas[0]);
  return Object.fromEntries(areas.map((area) => [area.dataset.input, line(area)]));
}

const hasLines = () => [...document.querySelectorAll("#sources textarea")].some((area) => area.value.trim().includes("\n"));
const textsOf = (source) => (typeof source === "string" ? [source] : Object.values(source));
const isEmpty = (source) => !textsOf(source).some(Boolean);

function showModel() {
  const names = inputs();
  const before = [...document.querySelectorAll("#sources textarea")].map((area) => area.value);
  $("sources").replaceChildren(...names.map((name, i) => {
    const label = document.createElement("label");
    const area = document.createElement("textarea");
    area.dataset.input = name;
    area.value = before[i] || "";
    area.maxLength = state.limits.characters;
    area.spellcheck = false;
    area.addEventListener("input", translateSoon);
    label.append(names.length > 1 ? name : "", area);
    if (names.length === 1) area.setAttribute("aria-label", "Source text");
    return label;
  }));
  $("tag-label").hidden = !model().tags.length;
  $("tag").replaceChildren(...tagOptions(model().tags));
  showLanguages();
  $("beam").value = model().beam;
  $("beam").max = $("nbest").max = state.limits.beam;
  translate();
}

// The name of a language, or "" for a code that is none.
function languageName(code) {
  try {
    return (code && new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(code.replaceAll("_", "-"))) || "";
  } catch (ignored) {
    return "";
  }
}

// Tags are languages where all of them are.
function tagOptions(tags) {
  const names = tags.map(languageName);
  return tags.map((tag, i) => new Option(names.every(Boolean) ? names[i] : tag, tag));
}

const EXAMPLES = {
  de: "Ein Mann schläft auf einer Bank. Wo ist sein Hund?",
  en: "A man sleeps on a bench. Where is his dog?",
  es: "Un hombre duerme en un banco. ¿Dónde está su perro?",
  fr: "Un homme dort sur un banc. Où est son chien ?",
  it: "Un uomo dorme su una panchina. Dov'è il suo cane?",
  ja: "男の人がベンチで寝ています。彼の犬はどこですか。",
  nl: "Een man slaapt op een bank. Waar is zijn hond?",
  pt: "Um homem dorme em um banco. Onde está o cachorro dele?",
  ru: "Мужчина спит на скамейке. Где его собака?",
  zh: "一个男人睡在长椅上。他的狗在哪里？",
};

function showLanguages() {
  const heading = (code) => (languageName(code) ? ": " + languageName(code) : "");
  $("source-language").textContent = heading(model().source_language);
  $("target-language").textContent = heading(model().target_language);
  $("example").hidden = inputs().length !== 1 || !EXAMPLES[model().source_language];
}

function showExample() {
  document.querySelector("#sources textarea").value = EXAMPLES[model().source_language];
  translate();
}

async function loadModels() {
  try {
    const found = await backend.models(say);
    state.models = found.models;
    state.limits = found.limits;
    $("model").replaceChildren(...found.models.map((one) => new Option(one.name)));
    $("about").hidden = !found.card;
    $("card").textContent = found.card || "";
    showModel();
    document.querySelector("#sources textarea").focus();
    say("");
  } catch (error) {
    say(error.message, true);
  }
}

// ---------------------------------------------------------------- translation

function translateSoon() {
  clearTimeout(state.timer);
  state.timer = setTimeout(translate, DELAY);
}

function wanted() {
  const nbest = +$("nbest").value || 1;
  const body = {
    model: model().name, text: source(),
    attention: nbest * textsOf(source()).join("").length ** 2 <= state.limits.characters ** 2,
    beam: Math.max(+$("beam").value || 1, +$("nbest").value || 1), nbest,
  };
  if ($("summarize").checked) body.summarize = true;
  if (model().tags.length) body.tag = $("tag").value;
  if (!$("prefix-line").hidden && $("prefix").value.trim()) body.prefix = $("prefix").value.trim();
  return body;
}

async function translate() {
  if (state.request) state.request.abort();
  const request = (state.request = new AbortController());
  if (isEmpty(source())) return clear();
  const begun = performance.now();
  try {
    say("translating …");
    for await (const event of backend.translate(wanted(), request.signal)) {
      if (request.signal.aborted) return;
      if (event.name === "beginning") showBeginning(event.data.text);
      if (event.name === "line") showLine(event.data);
      if (event.name === "error") throw new Error(event.data.error);
    }
    say(`translated in ${Math.round(performance.now() - begun)} ms`);
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  }
}

function clear() {
  state.line = null;
  $("translation").replaceChildren();
  $("copy").disabled = true;
  $("warnings").replaceChildren();
  $("nbest-list").replaceChildren();
  $("attention").hidden = true;
  say("");
}

function showBeginning(text) {
  $("translation").classList.add("partial");
  $("translation").textContent = text;
}

function showLine(line) {
  state.line = line;
  state.chosen = 0;
  showTranslation();
  showWarnings(line.warnings);
  $("nbest-list").replaceChildren(...line.translations.map((one, i) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", String(i === 0));
    const score = document.createElement("span");
    score.className = "score";
    score.textContent = " " + one.score.toFixed(3);
    score.title = "score";
    button.append(one.text || "(empty)", score);
    button.addEventListener("click", () => choose(i));
    item.append(button);
    return item;
  }));
}

function showWarnings(warnings) {
  const messages = warnings.map((warning) => warning.message);
  if (hasLines() && !splits()) messages.unshift("Line breaks are read as spaces: the text is translated as one line.");
  $("warnings").replaceChildren(...messages.map((message) => {
    const item = document.createElement("li");
    item.textContent = message;
    return item;
  }));
}

// The clipboard of the browser is there on secure pages only; a selection can be copied on all.
async function copyTranslation() {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(state.line.translations[state.chosen].text);
  } else {
    getSelection().selectAllChildren($("translation"));
    document.execCommand("copy");
  }
  say("copied");
}

function choose(index) {
  state.chosen = index;
  document.querySelectorAll("#nbest-list button")
    .forEach((button, i) => button.setAttribute("aria-pressed", String(i === index)));
  showTranslation();
}

function showTranslation() {
  const one = state.line.translations[state.chosen];
  const kept = $("prefix-line").hidden ? 0 : $("prefix").value.trim().split(/\s+/).filter(Boolean).length;
  let number = 0, end = 0;
  $("translation").classList.remove("partial");
  $("translation").replaceChildren(...one.text.split(/(\s+)/).filter(Boolean).map((part) => {
    end += part.length;
    if (!part.trim()) return part;
    const i = number++, prefix = one.text.slice(0, end);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "word" + (i < kept ? " kept" : "");
    button.textContent = part;
    button.title = "keep the translation up to here";
    button.addEventListener("click", () => keep(prefix));
    return button;
  }));
  $("copy").disabled = number === 0;
  showMeanMap(one);
}

function keep(prefix) {
  $("prefix").value = prefix;
  $("prefix-line").hidden = false;
  $("prefix").focus();
  translate();
}

// ---------------------------------------------------------------- attention

const END = "</s>";

function showMeanMap(one) {
  const hasWeights = Boolean(one.attention && one.attention.length);
  $("attention").hidden = !hasWeights;
  if (!hasWeights) return;
  setMaps([{
    name: "decoder over the source, mean of all heads", rows: "target tokens", columns: "source tokens",
    source: [...state.line.source_tokens, END], target: [...one.tokens, END], weights: one.attention,
  }]);
  // The ends of sentences stand between them.
  const isOne = !state.line.source_tokens.includes(END);
  $("more").hidden = !isOne || !backend.attention;
  $("one-sentence").hidden = isOne || !backend.attention;
}

function setMaps(maps) {
  state.maps = maps;
  $("map").replaceChildren(...maps.map((map) => new Option(map.name)));
  state.cell = [0, 0];
  drawMap();
}

async function loadMaps() {
  try {
    say("reading the attention of every layer and head …");
    const body = { model: model().name, text: source(), target: state.line.translations[state.chosen].text };
    if (model().tags.length) {
      body.tag = $("tag").value;
    }
    const found = await backend.attention(body);
    if (found.maps.length) setMaps(found.maps);
    $("more").hidden = true;
    $("map").focus();
    say("");
  } catch (error) {
    say(error.message, true);
  }
}

const map = () => state.maps[Math.max(0, $("map").selectedIndex)];
const shown = (token) => token.replaceAll("▁", "␣") || "∅";
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Both sides as tokens; the weights of the chosen one color those of the other side.
function drawPair() {
  const { source, target, weights } = map();
  const spans = (side, tokens, choose) => side.replaceChildren(...tokens.map((token, i) => {
    const span = document.createElement("span");
    span.textContent = shown(token);
    span.addEventListener("pointerenter", () => choose(i));
    return span;
  }));
  spans($("columns"), source, (s) => point(null, s));
  spans($("rows"), target, (t) => point(t, null));
  tint(state.cell[0], null, weights);
}

function tint(row, column, weights) {
  const heat = color("--heat");
  const paint = (side, value, chosen) => [...side.children].forEach((span, i) => {
    span.style.background = chosen === null ? `rgba(${heat}, ${Math.min(1, Math.max(0, value(i)))})` : "";
    span.style.color = chosen === null && value(i) > 0.55 ? color("--paper") : "";
    span.classList.toggle("chosen", chosen === i);
  });
  paint($("columns"), (s) => (row === null ? 0 : weights[row][s]), column);
  paint($("rows"), (t) => (column === null ? 0 : weights[t][column]), row);
}

function point(row, column) {
  tint(row, column, map().weights);
  const { weights, source, target, rows, columns } = map();
  const strongest = (values) => values.indexOf(Math.max(...values));
  if (row !== null) {
    state.cell = [row, strongest(weights[row])];
  } else {
    state.cell = [strongest(weights.map((weight) => weight[column])), column];
  }
  describe(rows, target, columns, source, weights);
  paintMap();
}

function describe(rows, target, columns, source, weights) {
  const [t, s] = state.cell;
  $("cell").textContent =
    `row ${t + 1} “${shown(target[t])}” → column ${s + 1} “${shown(source[s])}”: ${weights[t][s].toFixed(3)}` +
    ` (rows: ${rows}, columns: ${columns})`;
}

const CELL = 22, FONT = "13px system-ui, sans-serif";
let margins = { left: 0, top: 0 };

function paintMap() {
  const { source, target, weights } = map();
  const canvas = $("picture");
  const pen = canvas.getContext("2d");
  pen.font = FONT;
  const width = (tokens) => Math.max(...tokens.map((token) => pen.measureText(shown(token)).width)) + 12;
  margins = { left: width(target), top: width(source) };
  const ratio = window.devicePixelRatio || 1;
  const size = [margins.left + CELL * source.length + 1, margins.top + CELL * target.length + 1];
  [canvas.width, canvas.height] = size.map((length) => Math.ceil(length * ratio));
  [canvas.style.width, canvas.style.height] = size.map((length) => length + "px");
  pen.scale(ratio, ratio);
  pen.font = FONT;
  pen.fillStyle = color("--ink");
  pen.textBaseline = "middle";
  target.forEach((token, t) => pen.fillText(shown(token), 4, margins.top + CELL * (t + 0.5)));
  source.forEach((token, s) => {
    pen.save();
    pen.translate(margins.left + CELL * (s + 0.5), margins.top - 6);
    pen.rotate(-Math.PI / 2);
    pen.fillText(shown(token), 0, 0);
    pen.restore();
  });
  const heat = color("--heat");
  weights.forEach((row, t) => row.forEach((weight, s) => {
    pen.fillStyle = `rgba(${heat}, ${Math.min(1, Math.max(0, weight))})`;
    pen.fillRect(margins.left + CELL * s, margins.top + CELL * t, CELL, CELL);
  }));
  pen.strokeStyle = color("--line");
  pen.strokeRect(margins.left, margins.top, CELL * source.length, CELL * target.length);
  const [t, s] = state.cell;
  pen.strokeStyle = color("--accent");
  pen.lineWidth = 2;
  pen.strokeRect(margins.left + CELL * s, margins.top + CELL * t, CELL, CELL);
  canvas.setAttribute("aria-label", `Attention map: ${map().name}, ${target.length} rows, ${source.length} columns`);
}

function drawMap() {
  drawPair();
  paintMap();
  $("cell").textContent = "";
}

function goTo(row, column) {
  const { source, target, weights, rows, columns } = map();
  if (row < 0 || column < 0 || row >= target.length || column >= source.length) return;
  tint(row, null, weights);
  state.cell = [row, column];
  describe(rows, target, columns, source, weights);
  paintMap();
}

function cellAt(event) {
  const box = $("picture").getBoundingClientRect();
  return [
    Math.floor((event.clientY - box.top - margins.top) / CELL),
    Math.floor((event.clientX - box.left - margins.left) / CELL),
  ];
}

function moveBy(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  goTo(state.cell[0] + step[0], state.cell[1] + step[1]);
}

// ---------------------------------------------------------------- theme and start

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
  $("theme").textContent = theme === "dark" ? "Light" : "Dark";
  if (!$("attention").hidden) drawMap();
}

function start() {
  if (typeof offline !== "undefined") backend = offline;
  $("summarize-label").hidden = backend !== server;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(localStorage.getItem("theme") || (isDark ? "dark" : "light"));
  $("theme").addEventListener("click", () =>
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  $("model").addEventListener("change", showModel);
  for (const id of ["tag", "beam", "nbest", "summarize"]) $(id).addEventListener("change", translate);
  $("example").addEventListener("click", showExample);
  $("copy").addEventListener("click", copyTranslation);
  $("prefix").addEventListener("input", translateSoon);
  $("free").addEventListener("click", () => {
    $("prefix-line").hidden = true;
    translate();
  });
  $("map").addEventListener("change", drawMap);
  $("more").addEventListener("click", loadMaps);
  $("picture").addEventListener("pointermove", (event) => goTo(...cellAt(event)));
  $("picture").addEventListener("keydown", moveBy);
  $("access").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem("token", $("token").value.trim());
    $("access").hidden = true;
    loadModels();
  });
  loadModels();
}

start();
