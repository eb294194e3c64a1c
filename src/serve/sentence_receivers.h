// Receivers for the sentences of a line that is translated sentence by sentence.
#pragma once

#include <memory>
#include <vector>

#include "serve/translation_queue.h"
#include "translate/split_line.h"

namespace heed {

// Limits the sentences of a request by the memory that each takes: 20,000, or fewer if each has
// many phrases of `avoid`. A line of one sentence takes nothing.
class SentenceRoom {
 public:
  // avoided: number of phrases of `avoid`. Throws HttpError(kBadRequest).
  void take(size_t sentences, size_t avoided);

 private:
  size_t left_ = 20'000;
};

// Splits a waiting line into sentences, each with a separate receiver. When all sentences are
// translated, the receiver of the line gets the translation of the line. The first failure of a
// sentence is the failure of the line. Beginnings of the line join those of the sentences so far.
// The model has to outlive the sentences. Throws HttpError for more sentences than there is room
// for.
std::vector<QueuedLine> sentences_of(const TextModel& model, QueuedLine line, SentenceRoom& room);

}  // namespace heed
