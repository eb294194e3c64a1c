#include "cli/translate/translation_writer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"
#include "translate/nbest_text.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

std::string attention_lines(int64_t number, const TranslatedLine& translation,
                            const TextModel& model) {
  std::string lines;
  for (const Translated& one : translation.best) {
    nlohmann::ordered_json json;
    json["line"] = number;
    json["source"] = translation.source;
    json["target"] = one.pieces;
    // Rows and columns of the matrix: the pieces, then the end of the sentence.
    if (!one.attention.empty()) {
      json["source"].push_back(model.aligned_codec().vocabulary().piece(kEnd));
      json["target"].push_back(model.target_codec().vocabulary().piece(kEnd));
    }
    json["weights"] = nlohmann::ordered_json::array();
    for (const auto& row : one.attention) {
      auto& weights = json["weights"].emplace_back(nlohmann::ordered_json::array());
      for (float weight : row) weights.push_back(std::round(weight * 1e6) / 1e6);
    }
    lines += json_text(json) + "\n";
  }
  return lines;
}

}  // namespace

bool TranslationWriter::writes_list() const { return options_.nbest && !options_.risk_metric; }

std::string TranslationWriter::text_of(const TranslatedLine& translation,
                                       const SourceLine& source) const {
  if (options_.format == TranslationFormat::kJson)
    return json_line(next_line_, translation, options_.alignments.has_value());
  if (options_.format == TranslationFormat::kJsonTexts)
    return json_text(texts_json(next_line_, translation)) + "\n";
  if (options_.format == TranslationFormat::kTsv)
    return fmt::format("{}\t{}\n", fmt::join(source, "\t"), translation.text());
  return writes_list() ? nbest_lines(next_line_ - 1, translation) : translation.text() + "\n";
}

std::string TranslationWriter::alignments_of(const TranslatedLine& translation) const {
  std::string lines;
  for (const Translated& one : translation.best) {
    lines += pharaoh(one.alignment) + "\n";
    if (!writes_list()) break;
  }
  return lines;
}

std::string TranslationWriter::delays_of(const TranslatedLine& translation) const {
  std::string lines;
  for (const Translated& one : translation.best) {
    const auto length = std::ssize(translation.source);
    nlohmann::ordered_json json{{"line", next_line_}, {"source_length", length}};
    json["delays"] = nlohmann::ordered_json::array();
    for (int64_t t = 1; t <= std::ssize(one.pieces); ++t)
      json["delays"].push_back(model_.tokens_read ? std::min(model_.tokens_read(t), length)
                                                  : length);
    lines += json_text(json) + "\n";
    if (!writes_list()) break;
  }
  return lines;
}

void TranslationWriter::write(const TranslatedLine& translation, const SourceLine& source) {
  std::vector<std::string> texts{text_of(translation, source)};  // in the order of output_files()
  if (options_.attention) texts.push_back(attention_lines(next_line_, translation, model_));
  if (options_.alignments) texts.push_back(alignments_of(translation));
  if (options_.delays) texts.push_back(delays_of(translation));
  outputs_.write(texts);
  ++next_line_;
}

std::string nbest_lines(int64_t number, const TranslatedLine& translation) {
  std::string lines;
  for (const Translated& one : translation.best) {
    lines += fmt::format("{} ||| {} ||| {:.6f}\n", number, text_column(one.text), one.score);
  }
  return lines;
}

std::string json_line(int64_t number, const TranslatedLine& translation, bool with_alignments) {
  return json_text(translation_json(number, translation, with_alignments)) + "\n";
}

}  // namespace heed
