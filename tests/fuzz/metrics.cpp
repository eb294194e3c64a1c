// A hypothesis and its references, a line each, by every metric.
#include "base/utf8.h"
#include "fuzz/fuzzing.h"
#include "metric/bleu_tokenizers.h"
#include "metric/registry.h"

namespace heed {

void try_input(std::string_view bytes) {
  Lines lines;
  while (!bytes.empty() && lines.size() < 4)
    lines.push_back(replace_malformed(take_until(bytes, '\n')));
  if (lines.size() < 2) return;
  const LineReferences references(lines.begin() + 1, lines.end());
  for (const std::string& name : single_metric_names()) {
    if (name == "f1" && references.size() > 1) continue;
    const Score score = make_metric(name)->score_line(lines[0], references);
    HEED_CHECK(score.value >= 0, "{} {}", name, score.value);
  }
  for (const BleuTokenizer& tokenizer : bleu_tokenizers()) {
    if (tokenizer.version == nullptr) tokenizer.tokenize(lines[0]);
  }
}

}  // namespace heed
