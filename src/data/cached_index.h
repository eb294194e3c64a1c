// Indexes of training text in the folder `data.cache`: the first process makes one, later ones map it.
#pragma once

#include <string>

#include "data/corpus_index.h"
#include "data/data_cache.h"

namespace heed {

// codecs: a hash of all that the codecs of the encoder depend on.
struct IndexCache {
  DataCache& files;
  std::string codecs{};
};

// The index from the cache; else it is made and kept there. Where the cache has no folder, or where
// text comes from a pipe, it is made at each start.
// Throws what index_text() throws, Error(kIo) where the index cannot be written, and Error(kData) if
// the text changes meanwhile.
CorpusIndex cached_index(const Indexing& all, const IndexCache& cache);

}  // namespace heed
