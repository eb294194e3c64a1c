#include "model/decoders/answer_config.h"

#include "base/error.h"
#include "nn/attention/memory_network_config.h"

namespace heed {

AnswerDecoderConfig::AnswerDecoderConfig()
    : attention(make_kind<MemoryNetworkConfig>("memory_network")) {}

void AnswerDecoderConfig::fields(Fields& f) {
  static const Words<From> from_words = {{"context", From::kContext},
                                         {"question_and_context", From::kQuestionAndContext}};
  static const Words<Recurrence> recurrences = {{"none", Recurrence::kNone},
                                                {"gru", Recurrence::kGru}};
  f.field("question", question,
          "source with the question, whose final state is the query; none: the first in "
          "alphabetical order");
  f.one_of("attention", attention, attentions(), "attention over the sources");
  f.choice(
      "from", from, from_words,
      "what the output layer gets: the context vector, or the question and the context vector");
  f.choice("recurrence", recurrence, recurrences,
           "later tokens of the answer: none, the question of the next token is the sum of the "
           "question and the embeddings of the tokens so far; or a GRU that starts from the answer "
           "(Kumar 2016)");
}

std::string AnswerDecoderConfig::question_of(const DecoderDims& dims) const {
  if (!question) return dims.sources.empty() ? "" : dims.sources.begin()->first;
  return dims.sources.contains(*question) ? *question : "";
}

AttentionDims AnswerDecoderConfig::attention_dims(const DecoderDims& dims) const {
  const std::string name = question_of(dims);
  return cross_dims(dims, name.empty() ? 0 : dims.sources.at(name).final_width, 0);
}

int64_t AnswerDecoderConfig::hidden_width(const DecoderDims& dims) const {
  const AttentionDims own = attention_dims(dims);
  return attention->context_width(own) + (from == From::kQuestionAndContext ? own.query : 0);
}

SourceAttention AnswerDecoderConfig::source_attention(const DecoderDims& dims) const {
  return source_attention_of(*attention, attention_dims(dims));
}

void AnswerDecoderConfig::check(const DecoderDims& dims, Problems& problems) const {
  if (dims.sources.empty())
    return problems.add("", "answers a question, which is a source, and there is none");
  if (question_of(dims).empty())
    return problems.add("question", fmt::format("there is no source '{}'", *question));
  if (!attention->reads())
    return problems.add("attention", "needs a context vector, which `none` lacks: use another");
  const AttentionDims own = attention_dims(dims);
  ProblemsAt at(problems, "attention");
  check_cross(*attention, own, at);
  if (recurrence == Recurrence::kNone && dims.input != own.query) {
    problems.add(
        "recurrence",
        fmt::format("none adds embeddings, of width {}, to the question, of width {}: make "
                    "them equal, or use gru",
                    dims.input, own.query));
  }
}

namespace kinds {
Kind<DecoderConfig> answer_decoder() {
  return kind<AnswerDecoderConfig, DecoderConfig>(
      "answer", "answers a question from what an attention reads with it (Sukhbaatar 2015)");
}
}  // namespace kinds

}  // namespace heed
