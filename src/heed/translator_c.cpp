#include "heed/translator_c.h"

#include <limits>
#include <new>
#include <type_traits>

#include "heed/c_options.h"
#include "heed/translator.h"

struct heed_translator {
  heed::v0::Translator translator;
};

// The matrix of a translation row by row.
struct FlatTranslation {
  std::vector<float> attention;
  std::vector<int64_t> alignment;
};

struct heed_translations {
  std::vector<heed::v0::Translations> found;
  std::vector<std::vector<FlatTranslation>> flat;

  const heed::v0::Translation* at(size_t i, size_t k) const {
    return i < found.size() && k < found[i].best.size() ? &found[i].best[k] : nullptr;
  }
};

namespace heed {

namespace {

std::string& last_error() {
  thread_local std::string message;
  return message;
}

heed_status failed(heed_status status, const char* message) noexcept try {
  last_error() = message;
  return status;
} catch (...) {
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
  const size_t inputs = translator.inputs().size() - (options.translate.tag.empty() ? 0 : 1);
  const std::vector<std::string> all = texts_of(texts, count * inputs, "texts");
  std::vector<std::vector<std::string>> sources(count);
  for (size_t i = 0; i < all.size(); ++i) sources[i / inputs].push_back(all[i]);
  return sources;
}

FlatTranslation flat(const heed::v0::Translation& translation) {
  FlatTranslation result;
  for (const auto& row : translation.attention)
    result.attention.insert(result.attention.end(), row.begin(), row.end());
  for (const auto& [source, target] : translation.alignment) {
    result.alignment.push_back(source);
    result.alignment.push_back(target);
  }
  return result;
}

std::vector<std::vector<FlatTranslation>> flat(const std::vector<heed::v0::Translations>& found) {
  std::vector<std::vector<FlatTranslation>> result;
  for (const heed::v0::Translations& one : found) {
    auto& list = result.emplace_back();
    for (const heed::v0::Translation& translation : one.best) list.push_back(flat(translation));
  }
  return result;
}

// What stands for something that is not there.
template <class Value>
Value nothing() {
  if constexpr (std::is_floating_point_v<Value>)
    return std::numeric_limits<Value>::quiet_NaN();
  else
    return Value();
}

// Of one translation.
template <class Read>
auto read(const heed_translations* translations, size_t i, size_t k, const Read& read_from) {
  const heed::v0::Translation* one = translations == nullptr ? nullptr : translations->at(i, k);
  return one == nullptr ? nothing<decltype(read_from(*one))>() : read_from(*one);
}

const char* token_in(const std::vector<std::string>& tokens, size_t n) {
  return n < tokens.size() ? tokens[n].c_str() : nullptr;
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
  return translator == nullptr ? nullptr : heed::token_in(translator->translator.inputs(), input);
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
    auto flat = heed::flat(found);
    *translations = new heed_translations{std::move(found), std::move(flat)};
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

size_t heed_nbest(const heed_translations* translations, size_t i) {
  return translations != nullptr && i < translations->found.size()
             ? translations->found[i].best.size()
             : 0;
}

const char* heed_text(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.text.c_str(); });
}
double heed_score_of(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.score; });
}
double heed_log_probability(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.log_probability; });
}
int heed_finished(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.finished ? 1 : 0; });
}
size_t heed_token_count(const heed_translations* translations, size_t i, size_t k) {
  return heed::read(translations, i, k, [](const auto& one) { return one.tokens.size(); });
}
const char* heed_token(const heed_translations* translations, size_t i, size_t k, size_t n) {
  return heed::read(translations, i, k,
                    [=](const auto& one) { return heed::token_in(one.tokens, n); });
}
const double* heed_token_log_probabilities(const heed_translations* translations, size_t i,
                                           size_t k, size_t* count) {
  *count =
      heed::read(translations, i, k, [](const auto& one) { return one.log_probabilities.size(); });
  return heed::read(translations, i, k,
                    [](const auto& one) { return one.log_probabilities.data(); });
}

size_t heed_source_token_count(const heed_translations* translations, size_t i) {
  return heed_nbest(translations, i) > 0 ? translations->found[i].source_tokens.size() : 0;
}
const char* heed_source_token(const heed_translations* translations, size_t i, size_t n) {
  return heed_nbest(translations, i) > 0 ? heed::token_in(translations->found[i].source_tokens, n)
                                         : nullptr;
}

const int64_t* heed_alignment(const heed_translations* translations, size_t i, size_t k,
                              size_t* count) {
  *count = 0;
  if (k >= heed_nbest(translations, i)) return nullptr;
  const std::vector<int64_t>& pairs = translations->flat[i][k].alignment;
  *count = pairs.size() / 2;
  return pairs.data();
}

const float* heed_attention(const heed_translations* translations, size_t i, size_t k, size_t* rows,
                            size_t* columns) {
  *rows = *columns = 0;
  if (k >= heed_nbest(translations, i)) return nullptr;
  const auto& matrix = translations->found[i].best[k].attention;
  if (matrix.empty()) return nullptr;
  *rows = matrix.size();
  *columns = matrix.front().size();
  return translations->flat[i][k].attention.data();
}
