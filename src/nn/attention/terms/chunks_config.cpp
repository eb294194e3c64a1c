#include "nn/attention/terms/chunks_config.h"

#include "config/sizes.h"

namespace heed {

void ChunksConfig::fields(Fields& f) {
  static const Words<Combine> words = {{"scale", Combine::kScale}, {"chunk", Combine::kChunk}};
  f.choice("combine", combine, words,
           "scale: word weights times the weights of the states of their sentences (Nallapati "
           "2016); chunk: attention over the context vectors of the sentences (Yang 2016)");
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
}

std::vector<const char*> ChunksConfig::features() const {
  if (combine == Combine::kScale) return {kChunks, kChunkStates};
  return {kChunks, kChunkStates, kWordStates};
}

void ChunksConfig::check(const StageDims& dims, Problems& problems) const {
  if (dims.source.chunk > 0) return;
  problems.add("",
               "needs sentences and words: use it over a source with encoder: {type: "
               "hierarchical, states: words}");
}

namespace kinds {
Kind<TermConfig> chunks() {
  return kind<ChunksConfig, TermConfig>("chunks",
                                        "combines attention over words with attention over their "
                                        "sentences (Yang 2016, Nallapati 2016)");
}
}  // namespace kinds

}  // namespace heed
