// The functions that javascript.cpp declares. Emscripten puts them into the JavaScript of the module.
addToLibrary({
  heed_matches__deps: ["$UTF8ToString"],
  heed_matches: (code, kind) => {
    // The kinds of CharacterKind, marks without those that UAX 29 excepts, and the scripts of Script.
    Module.kinds ??= [
      /\p{L}/u, /[\p{Lu}\p{Lt}]/u, /\p{Ll}/u, /[\p{L}\p{Nd}]/u, /\p{P}/u, /\p{White_Space}/u,
      /\p{N}/u,
      /(?![\u102B\u102C\u1038\u1062-\u1064\u1067-\u106D\u1083\u1087-\u108C\u108F\u109A-\u109C\u1A61\u1A63\u1A64\uAA7B\uAA7D\u{11720}\u{11721}])[\p{Grapheme_Extend}\p{Mc}\p{Emoji_Modifier}\u0E33\u0EB3\u200D]/u,
      /\p{Script=Han}/u, /\p{Script=Hiragana}/u, /\p{Script=Katakana}/u, /\p{Script=Thai}/u, /\p{Script=Lao}/u,
      /\p{Script=Khmer}/u, /\p{Script=Myanmar}/u,
    ];
    return Module.kinds[kind].test(String.fromCodePoint(code)) ? 1 : 0;
  },

  heed_lower_cased__deps: ["$UTF8ToString", "$stringToNewUTF8"],
  heed_lower_cased: (text, size) => stringToNewUTF8(UTF8ToString(text, size).toLowerCase()),

  heed_sentence_ends__deps: ["$UTF8ToString", "$lengthBytesUTF8", "malloc"],
  heed_sentence_ends: (text, size, language) => {
    const segmenter = new Intl.Segmenter(UTF8ToString(language) || "und", { granularity: "sentence" });
    const found = [0];
    let end = 0;
    for (const { segment } of segmenter.segment(UTF8ToString(text, size))) {
      end += lengthBytesUTF8(segment);
      found.push(end);
    }
    found[0] = found.length - 1;
    const numbers = _malloc(4 * found.length);
    HEAP32.set(found, numbers >> 2);
    return numbers;
  },

  heed_language_of_tag__deps: ["$UTF8ToString", "$stringToNewUTF8"],
  heed_language_of_tag: (tag) => {
    let language = "";
    try {
      const code = new Intl.Locale(UTF8ToString(tag)).language;
      if (new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(code)) language = code;
    } catch (ignored) { /* no tag */ }
    return stringToNewUTF8(language);
  },
});
