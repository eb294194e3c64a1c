#include "inference/source_input.h"

#include <algorithm>

namespace heed {

namespace {

// x += y [width]
void add_row(const float* y, int64_t width, float* x) {
  for (int64_t i = 0; i < width; ++i) x[i] += y[i];
}

}  // namespace

SourceInput::SourceInput(const VocabularyShape& shape, size_t source, const Embeddings& embeddings,
                         const Packer& packer)
    : source_(source),
      width_(shape.embedding),
      all_(shape.source_input(source)),
      tokens_(embeddings.sources[source]) {
  for (const FactorShape& factor : shape.sources[source].factors)
    factors_.push_back({factor, packer.vector(names::factor_embedding(factor.name))});
  if (shape.source_tag) tags_ = packer.vector(names::kSourceTag);
}

void SourceInput::embed(const std::vector<const Example*>& sentences, const SourceTokens& tokens,
                        AlignedFloats& to) const {
  to.resize(tokens.tokens.size() * static_cast<size_t>(all_));
  embed_tokens(tokens_, tokens.tokens, to.data(), all_);
  for (size_t i = 0; i < sentences.size(); ++i) {
    const Example& sentence = *sentences[i];
    for (int64_t t = tokens.begins[i]; t < tokens.begins[i + 1]; ++t) {
      float* row = to.data() + t * all_;
      const auto position = static_cast<size_t>(t - tokens.begins[i]);
      int64_t column = width_;
      for (size_t f = 0; f < factors_.size(); ++f) {
        const Ids& labels = sentence.factors.at(source_).at(f);
        const int32_t label = position < labels.size() ? labels[position] : kEnd;
        const int64_t width = factors_[f].shape.width;
        const float* from = factors_[f].labels.data() + label * width;
        if (factors_[f].shape.is_added) {
          add_row(from, width, row);
        } else {
          std::copy_n(from, width, row + column);
          column += width;
        }
      }
      if (!tags_.empty()) add_row(tags_.data() + sentence.tag.value() * width_, width_, row);
    }
  }
}

void TargetTags::add_rows(const std::vector<const Example*>& sentences) {
  if (table_.empty()) return;
  for (const Example* sentence : sentences) tags_.push_back(sentence->tag.value());
}

void TargetTags::add_to_first(float* x, int64_t width) {
  for (size_t row = 0; row < tags_.size(); ++row) {
    if (tags_[row] == kNone) continue;
    add_row(table_.data() + tags_[row] * width, width, x + static_cast<int64_t>(row) * width);
    tags_[row] = kNone;
  }
}

void TargetTags::gather(const std::vector<int64_t>& rows) {
  if (table_.empty()) return;
  std::vector<int64_t> taken;
  for (const int64_t row : rows) taken.push_back(tags_[row]);
  tags_ = std::move(taken);
}

void TargetTags::join(const TargetTags& more) {
  tags_.insert(tags_.end(), more.tags_.begin(), more.tags_.end());
}

}  // namespace heed
