#include "heed/translator_c.h"

#include <new>

#include "heed/c_options.h"
#include "heed/c_results.h"
#include "heed/last_error.h"
#include "heed/training_v0.h"
#include "heed/translator_v0.h"

struct heed_translator {
  heed::v0::Translator translator;
};
struct heed_run {
  heed::v0::TrainedRun run;
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

heed_translator* open(const std::vector<std::string>& models, const heed_options* options) {
  return new heed_translator{v0::Translator(models, or_default(options).load)};
}

std::vector<v0::Score> scores_of(const heed_translator* translator, const char* const* sources,
                                 const char* const* targets, size_t count,
                                 const heed_options* options) {
  expect(translator != nullptr, "translator");
  const heed_options& how = or_default(options);
  return translator->translator.score_inputs(inputs_of(translator->translator, sources, count, how),
                                             texts_of(targets, count, "targets"), how.translate);
}

v0::Translations given_translation(std::string text, v0::Score score) {
  v0::Translation given;
  given.text = std::move(text);
  given.score = given.log_probability = score.log_probability;
  given.tokens = std::move(score.tokens);
  given.log_probabilities = std::move(score.log_probabilities);
  return {.source_tokens = {}, .best = {std::move(given)}, .warnings = std::move(score.warnings)};
}

const char* name_in(const std::vector<std::string>& names, size_t i) {
  return i < names.size() ? names[i].c_str() : nullptr;
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
heed_status heed_options_on_warning(heed_options* options, heed_on_warning function, void* data) {
  return heed::guarded([&] {
    heed::expect(options != nullptr, "options");
    options->translate.warn = nullptr;
    if (function == nullptr) return;
    options->translate.warn = [=](const std::string& message) { function(message.c_str(), data); };
  });
}
heed_status heed_options_stop_if(heed_options* options, heed_stop_if function, void* data) {
  return heed::guarded([&] {
    heed::expect(options != nullptr, "options");
    options->translate.stop = nullptr;
    if (function != nullptr) options->translate.stop = [=] { return function(data) != 0; };
    options->train.stop = options->translate.stop;
  });
}

heed_status heed_open(const char* model, const heed_options* options,
                      heed_translator** translator) {
  return heed::guarded([&] {
    heed::expect(model != nullptr, "model");
    heed::expect(translator != nullptr, "translator");
    *translator = heed::open({model}, options);
  });
}
heed_status heed_open_ensemble(const char* const* models, size_t count, const heed_options* options,
                               heed_translator** translator) {
  return heed::guarded([&] {
    heed::expect(translator != nullptr, "translator");
    *translator = heed::open(heed::texts_of(models, count, "models"), options);
  });
}
void heed_close(heed_translator* translator) { delete translator; }

size_t heed_input_count(const heed_translator* translator) {
  return translator == nullptr ? 0 : translator->translator.inputs().size();
}
const char* heed_input_name(const heed_translator* translator, size_t input) {
  return translator == nullptr ? nullptr : heed::name_in(translator->translator.inputs(), input);
}
size_t heed_tag_count(const heed_translator* translator) {
  return translator == nullptr ? 0 : translator->translator.tags().size();
}
const char* heed_tag_name(const heed_translator* translator, size_t tag) {
  return translator == nullptr ? nullptr : heed::name_in(translator->translator.tags(), tag);
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
    heed::expect(log_probabilities != nullptr || count == 0, "log_probabilities");
    const auto scores = heed::scores_of(translator, sources, targets, count, options);
    for (size_t i = 0; i < count; ++i) log_probabilities[i] = scores[i].log_probability;
  });
}
heed_status heed_score_tokens(const heed_translator* translator, const char* const* sources,
                              const char* const* targets, size_t count, const heed_options* options,
                              heed_translations** scores) {
  return heed::guarded([&] {
    heed::expect(scores != nullptr, "scores");
    std::vector<heed::v0::Score> found =
        heed::scores_of(translator, sources, targets, count, options);
    std::vector<heed::v0::Translations> given;
    for (size_t i = 0; i < count; ++i)
      given.push_back(heed::given_translation(targets[i], std::move(found[i])));
    *scores = new heed_translations(std::move(given));
  });
}

heed_status heed_options_on_log(heed_options* options, heed_on_log function, void* data) {
  return heed::guarded([&] {
    heed::expect(options != nullptr, "options");
    options->train.log = nullptr;
    if (function == nullptr) return;
    options->train.log = [=](const std::string& level, const std::string& message) {
      function(level.c_str(), message.c_str(), data);
    };
  });
}
heed_status heed_train(const char* config, const heed_options* options, heed_run** run) {
  return heed::guarded([&] {
    heed::expect(config != nullptr, "config");
    heed::expect(run != nullptr, "run");
    *run = new heed_run{heed::v0::train(config, heed::or_default(options).train)};
  });
}
const char* heed_run_folder(const heed_run* run) {
  return run == nullptr ? nullptr : run->run.folder.c_str();
}
int heed_run_finished(const heed_run* run) { return run != nullptr && run->run.finished ? 1 : 0; }
int64_t heed_run_updates(const heed_run* run) { return run == nullptr ? 0 : run->run.updates; }
void heed_run_free(heed_run* run) { delete run; }
