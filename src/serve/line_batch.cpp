#include "serve/line_batch.h"

#include <algorithm>

#include "base/memory.h"
#include "serve/line_cost.h"

namespace heed {

// A line during its search.
class LineBatch::Line {
 public:
  Line(const TextModel& model, QueuedLine queued, const LineBatchOptions& options)
      : queued_(std::move(queued)),
        translation_(queued_.text ? *queued_.text : model, *queued_.how),
        memory_(options.memory, options.memory.bytes(), options.memory_part) {}

  // Reads the line. True if it needs search; an empty line is translated at once.
  bool begin() {
    input_ =
        translation_.read(queued_.line, queued_.number, queued_.constraints(), queued_.sentence);
    if (!input_->is_whole)
      throw_http_error(HttpStatus::kUnprocessable,
                       "a text of more than {} tokens (max_source_length); split it",
                       input_->length());
    if (input_->length() > 0) return true;
    settle([&] { queued_.receiver->translated(LineTranslation::of_empty(*input_)); });
    return false;
  }

  // Prepares the search of a line after begin(). Throws HttpError if the line can never be
  // searched.
  void prepare(const DecodingBytes& bytes, int64_t most_weights) {
    request_ = translation_.request(*input_);
    bytes_ = bytes_of(*request_, bytes);
    const int64_t weights = queued_.how->attention ? weights_of(*request_) : 0;
    if (weights > most_weights)
      throw_http_error(HttpStatus::kUnprocessable,
                       "attention: source tokens, target tokens at most and translations make {} "
                       "weights, expected {} at most; send less text, or ask for a smaller "
                       "max_length or nbest, or for no attention",
                       weights, most_weights);
    if (bytes_ > memory_.most())
      throw_http_error(HttpStatus::kUnprocessable,
                       "the text may need {} of memory, of which {} are for texts of its kind "
                       "(--max-memory); send less text, or ask for a smaller max_length, beam or "
                       "nbest",
                       format_bytes(static_cast<double>(bytes_)),
                       format_bytes(static_cast<double>(memory_.most())));
  }
  bool has_memory() { return memory_.bytes() > 0 || memory_.take(bytes_); }

  // Reason to stop the translation of the line, if any. Called repeatedly while the line waits for
  // memory.
  std::optional<HttpError> reason_to_drop(bool waits) {
    if (waits && !throttle_.is_due()) return std::nullopt;
    return queued_.reason_to_drop("the server is busy");
  }

  Request request(const std::shared_ptr<Line>& self) {
    Request request = *request_;
    request.follow = [self](const Hypothesis& best) { return self->follow(best); };
    return request;
  }
  int64_t hypotheses() const { return queued_.how->search.hypotheses(); }

  void finish(std::vector<Hypothesis> found) {
    if (failure_) return fail(*failure_);
    const TranslatedLine translation = translation_.translation(*input_, std::move(found));
    settle([&] { queued_.receiver->translated(translation); });
  }

  void fail(const HttpError& error) {
    settle([&] { queued_.receiver->failed(error); });
  }

  bool is_settled() const { return is_settled_; }

 private:
  template <class Last>
  void settle(const Last& last) {
    if (is_settled_) return;
    is_settled_ = true;
    last();
  }

  bool follow(const Hypothesis& best) {
    if (throttle_.is_due()) failure_ = queued_.reason_to_drop("send less text");
    if (!failure_ && queued_.receiver->follows())
      queued_.receiver->beginning(translation_.beginning(*input_, best));
    return !failure_;
  }

  QueuedLine queued_;
  LineTranslation translation_;
  std::optional<LineInput> input_;
  std::optional<Request> request_;
  MemoryShare memory_;  // in the search, bytes_
  int64_t bytes_ = 0;
  Throttle throttle_;  // of reason_to_drop()
  std::optional<HttpError> failure_;
  bool is_settled_ = false;
};

LineBatch::LineBatch(const TextModel& model, const LineBatchOptions& options)
    : model_(model), options_(options), search_(make_search()) {}

LineBatch::~LineBatch() = default;

std::unique_ptr<Search> LineBatch::make_search() const {
  return std::make_unique<Search>(*model_.engine, static_cast<int64_t>(options_.room),
                                  options_.attention);
}

bool LineBatch::needs_attention(const QueuedLine& line) {
  const LineOptions& how = *line.how;
  return how.reads_attention() || how.search.coverage_penalty > 0;
}

void LineBatch::enter(Search& search, const Shared& line) const {
  search.add(line->request(line),
             [line](std::vector<Hypothesis> found) { line->finish(std::move(found)); });
}

void LineBatch::add(QueuedLine queued) {
  const auto line = std::make_shared<Line>(model_, std::move(queued), options_);
  try {
    if (!line->begin()) return;
    line->prepare(model_.engine->bytes(), options_.weights);
    ready_.push_back(line);
  } catch (...) {
    line->fail(current_http_error());
  }
}

int64_t LineBatch::widest() const {
  int64_t widest = 1;
  for (const Shared& line : ready_) widest = std::max(widest, line->hypotheses());
  for (const Shared& line : lines_) widest = std::max(widest, line->hypotheses());
  return widest;
}

// Lines enter in the order in which they were added.
void LineBatch::admit() {
  while (!ready_.empty()) {
    const Shared line = ready_.front();
    const bool has_memory = line->has_memory();
    if (const auto reason = line->reason_to_drop(!has_memory)) {
      line->fail(*reason);
    } else if (has_memory) {
      enter(*search_, line);
      lines_.push_back(line);
    } else {
      return;
    }
    ready_.pop_front();
  }
}

bool LineBatch::step() {
  admit();
  if (lines_.empty()) return false;
  try {
    search_->step();
  } catch (...) {
    // The search is unusable, and any of its lines may be the cause: each line is tried alone.
    search_ = make_search();
    for (const auto& line : lines_) translate_alone(line);
  }
  std::erase_if(lines_, [](const auto& line) { return line->is_settled(); });
  return true;
}

void LineBatch::translate_alone(const Shared& line) const {
  if (line->is_settled()) return;
  try {
    const auto search = make_search();
    enter(*search, line);
    while (search->step()) {
    }
  } catch (...) {
    line->fail(current_http_error());
  }
}

}  // namespace heed
