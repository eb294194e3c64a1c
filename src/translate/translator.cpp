#include "translate/translator.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "search/phrases.h"
#include "translate/line_checks.h"
#include "translate/workers.h"

namespace heed {

namespace {

void warn(LineWarnings* warnings, const std::string& kind, int64_t line,
          const std::string& detail) {
  if (warnings != nullptr) warnings->add(kind, line, detail);
}

SourceLine well_formed(const SourceLine& line, int64_t number, LineWarnings* warnings) {
  SourceLine result;
  for (const std::string& text : line) result.push_back(well_formed(text, number, warnings));
  return result;
}

}  // namespace

Translated with_scores_of(const Hypothesis& hypothesis) {
  Translated result;
  result.score = hypothesis.score;
  result.log_probability = hypothesis.log_probability;
  result.finished = hypothesis.finished;
  result.log_probabilities = hypothesis.log_probabilities;
  return result;
}

Translator::Translator(TextModel model, TranslatorOptions options)
    : model_(std::move(model)), options_(std::move(options)) {
  HEED_CHECK(options_.batch > 0 && options_.workers > 0 && options_.longest_source > 0);
  HEED_CHECK(model_.engine != nullptr);
  if (options_.next_constraints)
    continuations_ =
        std::make_shared<const std::vector<bool>>(model_.target_codec().word_continuations());
}

EncodedLine Translator::read_line(const SourceLine& line, int64_t number) const {
  const SourceLine text = well_formed(line, number, options_.warnings);
  EncodedLine encoded = encode_line(model_, text, number);
  const int64_t length = encoded.length();
  if (length > options_.longest_source) {
    warn(options_.warnings,
         fmt::format("cut to the first {} tokens, split the line", options_.longest_source), number,
         fmt::format("{} tokens", length));
    encoded = encode_line(model_, text, number, options_.longest_source);
  } else if (model_.max_length && length > *model_.max_length) {
    warn(options_.warnings,
         fmt::format("longer than any training sentence ({} tokens), translations may be poor",
                     *model_.max_length),
         number, fmt::format("{} tokens", length));
  }
  if (options_.warnings != nullptr) check_line(model_, line, encoded, number, *options_.warnings);
  return encoded;
}

void Translator::take(const LexicalConstraints& constraints, Input& input) const {
  const auto encode = [&](const std::string& text, const char* what) {
    Ids ids = encode_target(model_, replace_malformed(text), input.line);
    if (std::ranges::count(ids, kUnknown) > 0)
      warn(options_.warnings, fmt::format("{} with words outside the vocabulary, as <unk>", what),
           input.number, text);
    return ids;
  };
  input.prefix = encode(constraints.prefix, "prefix");
  for (const std::string& text : constraints.phrases) {
    Ids ids = encode(text, "constraint");
    if (!ids.empty()) input.phrases.push_back(std::move(ids));
  }
  for (const std::string& text : constraints.avoided) {
    Ids ids = encode_target(model_, replace_malformed(text), input.line);
    // A word outside the vocabulary is not written anyway, and <unk> stands for others too.
    if (!ids.empty() && std::ranges::count(ids, kUnknown) == 0)
      input.avoided.push_back(std::move(ids));
  }
}

void Translator::check_phrases(const Input& input, const Hypothesis& best) const {
  if (input.phrases.empty()) return;
  const Phrases phrases(input.phrases, continuations_);
  if (phrases.met(best.ids) < phrases.tokens())
    warn(options_.warnings,
         "a phrase of --constraints is missing: other constraints or the probability 0 forbid it",
         input.number, model_.target_codec().decode(best.ids));
}

std::vector<Translation> Translator::translate(
    const std::vector<SourceLine>& lines, int64_t first_line,
    const std::vector<LexicalConstraints>& constraints) const {
  HEED_CHECK(constraints.empty() || constraints.size() == lines.size());
  std::vector<Input> inputs;
  std::vector<int64_t> lengths;
  std::vector<Translation> translations(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    const int64_t number = first_line + static_cast<int64_t>(i);
    Input& input = inputs.emplace_back(Input{read_line(lines[i], number), number});
    if (!constraints.empty()) take(constraints[i], input);
    const EncodedLine& line = input.line;
    lengths.push_back(line.is_empty() ? 0 : line.length());
    if (lengths.back() == 0) translations[i].best.emplace_back();
  }
  constexpr int64_t kLongLine = 512;
  const auto groups =
      groups_by_length(lengths, options_.batch, model_.max_length.value_or(kLongLine));
  const auto threads = model_.engine->threads();
  run_in_workers(
      options_.workers, groups.size(),
      [&](size_t group) {
        if (options_.before_batch) options_.before_batch();
        translate_group(inputs, groups[group], translations);
        if (options_.after_batch) options_.after_batch(static_cast<int64_t>(groups[group].size()));
      },
      *threads);
  return translations;
}

void Translator::translate_group(const std::vector<Input>& inputs, const std::vector<size_t>& group,
                                 std::vector<Translation>& translations) const {
  const auto what = [&] {
    int64_t longest = 0;
    for (const size_t i : group) longest = std::max(longest, inputs[i].line.length());
    return fmt::format(
        "the search of {} lines of at most {} pieces with beam {}; a smaller --batch, --beam or "
        "--max-length needs less",
        group.size(), longest, options_.search.beam);
  };
  std::vector<Request> requests;
  for (const size_t i : group) requests.push_back(request_of(inputs[i]));
  auto found = with_memory_for(what, [&] { return search(*model_.engine, std::move(requests)); });
  for (size_t i = 0; i < group.size(); ++i) {
    const EncodedLine& line = inputs[group[i]].line;
    Translation& translation = translations[group[i]];
    translation.source = line.pieces[model_.aligned];
    check_phrases(inputs[group[i]], found[i].front());
    for (Hypothesis& hypothesis : found[i])
      translation.best.push_back(to_text(line, std::move(hypothesis)));
    if (options_.choose) options_.choose(translation.best);
  }
}

Request Translator::request_of(const Input& input) const {
  Request request{
      .source = input.line.example,
      .config = options_.search,
      .number = input.number,
      .prefix = input.prefix,
      .phrases = input.phrases,
      .continuations = continuations_,
      .avoided = input.avoided,
      .attention = options_.attention || options_.alignment || options_.replace_unknown};
  if (options_.shortlist) {
    std::vector<Ids> wanted = input.phrases;
    wanted.push_back(input.prefix);
    request.source.candidates =
        options_.shortlist->candidates(request.source.sources[model_.aligned], wanted);
  }
  return request;
}

Translated Translator::to_text(const EncodedLine& line, Hypothesis hypothesis) const {
  const Codec &source = model_.aligned_codec(), &target = model_.target_codec();
  const std::vector<std::string>& pieces = line.pieces[model_.aligned];
  Translated result = with_scores_of(hypothesis);
  result.pieces = target.pieces(hypothesis.ids, line.behind());
  if (options_.alignment) {
    result.alignment = align_words(hypothesis.attention, source.tokenizer().words_of(pieces),
                                   target.tokenizer().words_of(result.pieces));
  }
  if (options_.replace_unknown) {
    result.pieces = replace_unknown({source, target, pieces, line.behind()}, hypothesis.ids,
                                    hypothesis.attention);
  }
  result.text = target.decode(result.pieces);
  if (options_.attention) result.attention = std::move(hypothesis.attention);
  return result;
}

int64_t Translator::translate_all(const std::function<bool(SourceLine&)>& next,
                                  const std::function<void(const Translation&)>& write,
                                  int64_t window, int64_t first_line) const {
  int64_t done = 0;
  for (bool more = true; more;) {
    std::vector<SourceLine> lines;
    std::vector<LexicalConstraints> constraints;
    SourceLine line;
    while (static_cast<int64_t>(lines.size()) < window && (more = next(line))) {
      lines.push_back(line);
      if (options_.next_constraints) constraints.push_back(options_.next_constraints());
    }
    for (const Translation& translation : translate(lines, first_line + done, constraints))
      write(translation);
    done += static_cast<int64_t>(lines.size());
  }
  return done;
}

}  // namespace heed
