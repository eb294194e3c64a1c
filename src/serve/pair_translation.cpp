#include "serve/pair_translation.h"

#include <algorithm>

#include "base/error.h"
#include "base/line_separators.h"
#include "base/log.h"
#include "serve/sentence_receivers.h"
#include "translate/directions.h"
#include "translate/search_overrides.h"
#include "translate/split_line.h"

namespace heed {

namespace {

using Step = LanguageGraph::Step;

constexpr int64_t kMostTerms = 100;  // of a glossary, in a sentence

// A model of a path with what its lines need.
struct Station {
  std::shared_ptr<const ServedModel> model;
  std::shared_ptr<const TextModel> text;  // of the model, in the direction of the pair
  LanguagePair pair;
  LineOptions how;
};

Station station_of(const Step& step, const ApiCall& call, ServedModels& models,
                   const PairOptions& options, int64_t nbest) {
  Station station{
      .model = call.models.at(step.model), .text = nullptr, .pair = step.pair, .how = {}};
  models.note_use(step.model);
  station.text = station.model->text;
  if (step.pair.direction.is_chosen())
    station.text = std::make_shared<const TextModel>(
        Directions(*station.model->text).choose(step.pair.direction));
  LineOptions& how = station.how;
  how.split = options.split && can_split(*station.model->text);
  how.search = station.model->search;
  how.joins = station.model->joins;
  how.longest_target = call.limits().tokens;
  how.markup.format = options.markup;
  if (how.has_markup() &&
      (!station.model->text->has_source_weights || !can_split(*station.model->text)))
    throw_http_error(
        HttpStatus::kBadRequest,
        "{} translates plain text alone: tags need a model of one text with attention weights",
        step.model);
  if (options.glossary != nullptr) how.glossary = options.glossary->terms_for(station.model->text);
  how.most_terms = kMostTerms;
  if (how.glossary != nullptr) how.search.diversity_groups = 1;  // phrases need plain search
  set_nbest(how.search, nbest, false);
  how.search.beam = std::min(how.search.beam, call.limits().beam);
  return station;
}

SourceLine line_for(const Station& station, std::string text) {
  if (!station.how.split) text = on_one_line(std::move(text));
  if (!station.pair.token.empty()) text = station.pair.token + " " + text;
  SourceLine line = {std::move(text)};
  if (!station.model->text->tags.empty()) line.push_back(station.pair.tag);
  return line;
}

// Puts the warnings of the first model before those of the second.
class SecondReceiver final : public LineReceiver {
 public:
  SecondReceiver(std::shared_ptr<LineReceiver> line, WarningList warnings)
      : line_(std::move(line)), warnings_(std::move(warnings)) {}
  bool is_waiting() override { return line_->is_waiting(); }
  bool follows() const override { return line_->follows(); }
  void beginning(const std::string& text) override { line_->beginning(text); }
  void translated(const TranslatedLine& translation) override {
    TranslatedLine whole = translation;
    whole.warnings.insert(whole.warnings.begin(), warnings_.begin(), warnings_.end());
    line_->translated(whole);
  }
  void failed(const HttpError& error) override { line_->failed(error); }

 private:
  std::shared_ptr<LineReceiver> line_;
  WarningList warnings_;
};

// Gives the translation of a line to the second model.
class FirstReceiver final : public LineReceiver {
 public:
  FirstReceiver(std::shared_ptr<const Station> second, std::shared_ptr<TranslateReply> reply,
                std::string first, size_t line, ServeClock::time_point deadline)
      : second_(std::move(second)),
        reply_(std::move(reply)),
        first_(std::move(first)),
        line_(line),
        deadline_(deadline) {}
  bool is_waiting() override { return reply_->is_waiting(); }
  bool follows() const override { return false; }
  void beginning(const std::string&) override {}
  void failed(const HttpError& error) override { reply_->failed(error); }

  void translated(const TranslatedLine& translation) override try {
    reply_->count_line(first_, translation);
    const ServedModel& model = *second_->model;
    TranslateRequest request{.model = &model,
                             .text = second_->text,
                             .lines = {line_for(*second_, translation.text())},
                             .prefixes = {""},
                             .phrases = {},
                             .how = second_->how};
    enqueue(std::move(request), model,
            {std::make_shared<SecondReceiver>(receiver_of(reply_, line_, model.name),
                                              translation.warnings)},
            deadline_, /*is_accepted=*/true);
  } catch (...) {
    reply_->failed(current_http_error());
  }

 private:
  const std::shared_ptr<const Station> second_;
  const std::shared_ptr<TranslateReply> reply_;
  const std::string first_;
  const size_t line_;
  const ServeClock::time_point deadline_;
};

// The texts of one pair, ready to be translated.
struct Batch {
  PairTexts texts;
  std::vector<Station> path;  // none: the texts are their translations
};

std::vector<Station> path_of(const PairTexts& texts, const ApiCall& call, ServedModels& models,
                             const PairOptions& options) {
  std::vector<Station> path;
  const std::vector<Step> steps = call.models.languages->path(texts.source, texts.target);
  HEED_CHECK(!steps.empty() || texts.source == texts.target);
  if (options.glossary != nullptr && steps.size() > 1)
    throw_http_error(HttpStatus::kBadRequest,
                     "a glossary needs a model of its own languages; from {} into {} the server "
                     "translates by way of {}",
                     texts.source, texts.target, steps.front().pair.target);
  for (const Step& step : steps)
    path.push_back(
        station_of(step, call, models, options, &step == &steps.back() ? options.nbest : 1));
  return path;
}

void answer_with_sources(const PairTexts& texts, const std::shared_ptr<TranslateReply>& reply) {
  for (size_t i = 0; i < texts.texts.size(); ++i) {
    TranslatedLine line;
    line.best.emplace_back().text = texts.texts[i];
    reply->translated(texts.numbers[i], line);
  }
}

void enqueue_batch(const Batch& batch, const std::shared_ptr<TranslateReply>& reply,
                   ServeClock::time_point deadline) {
  const Station& first = batch.path.front();
  const auto second =
      batch.path.size() > 1 ? std::make_shared<const Station>(batch.path[1]) : nullptr;
  TranslateRequest request{.model = first.model.get(),
                           .text = first.text,
                           .lines = {},
                           .prefixes = {},
                           .phrases = {},
                           .how = first.how};
  TranslateReply::Receivers receivers;
  for (size_t i = 0; i < batch.texts.texts.size(); ++i) {
    const size_t number = batch.texts.numbers[i];
    request.lines.push_back(line_for(first, batch.texts.texts[i]));
    if (second == nullptr)
      receivers.push_back(receiver_of(reply, number, first.model->name));
    else
      receivers.push_back(
          std::make_shared<FirstReceiver>(second, reply, first.model->name, number, deadline));
  }
  request.prefixes.resize(request.lines.size());
  enqueue(std::move(request), *first.model, receivers, deadline);
}

}  // namespace

std::string language_between(const ModelLease& models, const std::string& source,
                             const std::string& target) {
  const std::vector<Step> path = models.languages->path(source, target);
  return path.size() > 1 ? path.front().pair.target : "";
}

void translate_pairs(const ApiCall& call, ServedModels& models, std::vector<PairTexts> texts,
                     const PairOptions& options, const std::shared_ptr<TranslateReply>& reply) {
  std::vector<Batch> batches;
  for (PairTexts& own : texts) {
    std::vector<Station> path = path_of(own, call, models, options);
    if (path.size() > 1)
      spdlog::debug("{}: from {} into {} by way of {} ({}, {})", call.to.timer.path, own.source,
                    own.target, path.front().pair.target, path[0].model->name, path[1].model->name);
    batches.push_back({.texts = std::move(own), .path = std::move(path)});
  }
  const auto deadline = ServeClock::now() + call.limits().time;
  bool has_begun = false;
  for (const Batch& batch : batches) {
    if (batch.path.empty()) continue;
    try {
      enqueue_batch(batch, reply, deadline);
      has_begun = true;
    } catch (...) {
      if (!has_begun) throw;
      return reply->failed(current_http_error());
    }
  }
  for (const Batch& batch : batches)
    if (batch.path.empty()) answer_with_sources(batch.texts, reply);
}

DetectedLanguage source_of(const ModelLease& models, const std::string& text,
                           const std::string& target) {
  std::vector<std::string> offered = models.languages->sources_of(target);
  offered.push_back(target);
  const std::vector<DetectedLanguage> found = detect_languages(text, offered);
  for (const DetectedLanguage& one : found)
    if (std::ranges::find(offered, one.language) != offered.end()) return one;
  constexpr int64_t kLong = 20;  // characters: the language of a short text is a guess
  if (!found.empty() && found.front().is_sure && characters_of(text) >= kLong)
    throw_http_error(
        HttpStatus::kBadRequest,
        "the text is in {}, which the server does not translate into {}; expected one of {}",
        found.front().language, target, fmt::join(models.languages->sources_of(target), ", "));
  const bool has_english = std::ranges::find(offered, "en") != offered.end() && target != "en";
  return {.language = has_english ? "en" : offered.front()};
}

void check_text_limits(const std::string& field, const std::vector<std::string>& texts,
                       const ServeLimits& limits, JsonFields& fields) {
  if (texts.empty() || std::ssize(texts) > limits.texts)
    fields.wrong(field,
                 fmt::format("expected 1 to {} texts, found {}", limits.texts, texts.size()));
  for (const std::string& text : texts) check_texts(field, {text}, limits, fields);
}

}  // namespace heed
