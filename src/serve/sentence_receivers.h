// Who waits for the sentences of a line that is translated sentence by sentence.
#pragma once

#include <memory>
#include <vector>

#include "serve/translation_queue.h"
#include "translate/split_line.h"

namespace heed {

// Bounds the sentences of a request, by the memory that each takes: 20,000, or fewer where each has many
// phrases of `avoid`. A line of one sentence needs no room.
class SentenceRoom {
 public:
  // avoided: number of phrases of `avoid`. Throws HttpError(kBadRequest).
  void take(size_t sentences, size_t avoided);

 private:
  size_t left_ = 20'000;
};

// The sentences of a line that waits, each with a receiver of its own. Once all of them have a translation, the receiver
// of the line gets that of the line; the first failure is that of the line. Beginnings are those of the sentences so far, one after
// another. The model has to outlive them.
// Throws HttpError for more sentences than there is room for.
std::vector<QueuedLine> sentences_of(const TextModel& model, QueuedLine line, SentenceRoom& room);

}  // namespace heed
