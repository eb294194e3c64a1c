#include "translate/text_model.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

PairEncoder encoder_of(const TextModel& model) {
  PairEncoder encoder =
      pair_encoder(model.sources, model.codecs,
                   model.copies ? std::optional(model.aligned) : std::nullopt, model.tags);
  encoder.factors = model.factors;
  return encoder;
}

// Annotations of a line: its inputs after the sources, except for the tag.
Annotations annotations_of(const TextModel& model, const SourceLine& line, int64_t number) {
  Annotations own;
  size_t next = model.sources.size();
  const auto take = [&](const std::string& name) {
    return Annotation{line[next++], fmt::format("line {} of the {}", number, name)};
  };
  if (model.reads_edges()) own.edges = take("edges");
  for (const SourceFactor& factor : model.factors)
    own.factors.push_back(take("factor " + factor.name));
  return own;
}

}  // namespace

std::unordered_set<std::string> target_words_in(const std::string& line) {
  const std::vector<std::string> words = split_words(line);
  return {words.begin(), words.end()};
}

bool EncodedLine::is_empty() const {
  return std::ranges::all_of(example.sources, [](const Ids& ids) { return ids.empty(); });
}

int64_t EncodedLine::length() const { return longest_source(example); }

std::vector<std::string> EncodedLine::behind() const {
  return example.copyable ? example.copyable->behind : std::vector<std::string>();
}

EncodedLine encode_line(const TextModel& model, const SourceLine& line, int64_t number,
                        int64_t longest) {
  HEED_CHECK(line.size() == model.inputs.size(), "a line for each input");
  EncodedLine encoded;
  encoded.texts.assign(line.begin(), line.begin() + std::ssize(model.sources));
  encoded.example = encoder_of(model).encode_sources(line, annotations_of(model, line, number),
                                                     longest, &encoded.pieces);
  check_entries(model.entries, encoded.example.sources, fmt::format("line {}", number));
  if (!model.tags.empty() && !(encoded.is_empty() && line.back().empty()))
    encoded.example.tag = tag_number(model.tags, line.back(), fmt::format("line {}", number));
  return encoded;
}

Ids encode_target(const TextModel& model, const std::string& line, const EncodedLine& source,
                  std::vector<std::string>* surface) {
  return encoder_of(model).encode_target(line, source.example, kWholeLine, surface);
}

}  // namespace heed
