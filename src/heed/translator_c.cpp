#include "heed/translator_c.h"

#include <new>

#include "heed/c_options.h"
#include "heed/c_results.h"
#include "heed/last_error.h"
#include "heed/translator.h"

struct heed_translator {
  heed::v0::Translator translator;
};

namespace heed {

namespace {

heed_status failed(heed_status status, const char* message) noexcept try {
  keep_last_error(message);
  return status;
} catch (const std::bad_alloc&) {
  return status;
}

template <class Function>
heed_status guarded(const Function& function) noexcept try {
  function();
  return HEED_OK;
} catch (const v0::Error& error) {
  return failed(static_cast<heed_status>(error.kind()), error.what());
} catch (const std::bad_alloc&) {
  return failed(HEED_FAILURE, "out of memory; a smaller input needs less");
} catch (const std::exception& error) {
  return failed(HEED_FAILURE, error.what());
} catch (...) {
  return failed(HEED_FAILURE, "unexpected error, please report it");
}

void expect(bool given, const char* what) {
  if (!given) throw v0::Error(v0::ErrorKind::kUsage, std::string(what) + ": found NULL");
}

std::vector<std::string> texts_of(const char* const* texts, size_t count, const char* what) {
  expect(texts != nullptr || count == 0, what);
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i) {
    expect(texts[i] != nullptr, what);
    result.emplace_back(texts[i]);
  }
  return result;
}

const heed_options& or_default(const heed_options* options) {
  static const heed_options defaults;
  return options == nullptr ? defaults : *options;
}

// The texts of each translation: all inputs, but for a tag that the options give.
std::vector<std::vector<std::string>> inputs_of(const v0::Translator& translator,
                                                const char* const* texts, size_t count,
                                                const heed_options& options) {
  size_t inputs = translator.inputs().size();
  if (inputs > 0 && !options.translate.tag.empty()) --inputs;
  const std::vector<std::string> all = texts_of(texts, count * inputs, "texts");
  std::vector<std::vector<std::string>> sources(count);
  for (size_t i = 0; i < all.size(); ++i) sources[i / inputs].push_back(all[i]);
  return sources;
}

}  // namespace

}  // namespace heed

const char* heed_version(void) { return heed::v0::version(); }
const char* heed_last_error(void) { return heed::last_error().c_str(); }

heed_options* heed_options_new(void) { return new (std::nothrow) heed_options; }
void heed_options_free(heed_options* options) { delete options; }
heed_status heed_options_set(heed_options* options, const char* name, const char* value) {
  return heed::guarded([&] {
    heed::expect(options != nullptr, "options");
    heed::expect(name != nullptr, "name");
    heed::expect(value != nullptr, name);
    options->set(name, value);
  });
}

heed_status heed_open(const char* model, const heed_options* options,
                      heed_translator** translator) {
  return heed::guarded([&] {
    heed::expect(model != nullptr, "model");
    heed::expect(translator != nullptr, "translator");
    *translator = new heed_translator{heed::v0::Translator(model, heed::or_default(options).load)};
  });
}
void heed_close(heed_translator* translator) { delete translator; }

size_t heed_input_count(const heed_translator* translator) {
  return translator == nullptr ? 0 : translator->translator.inputs().size();
}
const char* heed_input_name(const heed_translator* translator, size_t input) {
  const bool is_there = input < heed_input_count(translator);
  return is_there ? translator->translator.inputs()[input].c_str() : nullptr;
}

heed_status heed_translate(const heed_translator* translator, const char* const* texts,
                           size_t count, const heed_options* options,
                           heed_translations** translations) {
  return heed::guarded([&] {
    heed::expect(translator != nullptr, "translator");
    heed::expect(translations != nullptr, "translations");
    const heed_options& how = heed::or_default(options);
    auto found = translator->translator.translate_inputs(
        heed::inputs_of(translator->translator, texts, count, how), how.translate);
    *translations = new heed_translations(std::move(found));
  });
}
void heed_translations_free(heed_translations* translations) { delete translations; }

heed_status heed_score(const heed_translator* translator, const char* const* sources,
                       const char* const* targets, size_t count, const heed_options* options,
                       double* log_probabilities) {
  return heed::guarded([&] {
    heed::expect(translator != nullptr, "translator");
    heed::expect(log_probabilities != nullptr || count == 0, "log_probabilities");
    const heed_options& how = heed::or_default(options);
    const auto scores = translator->translator.score_inputs(
        heed::inputs_of(translator->translator, sources, count, how),
        heed::texts_of(targets, count, "targets"), how.translate);
    for (size_t i = 0; i < count; ++i) log_probabilities[i] = scores[i].log_probability;
  });
}
