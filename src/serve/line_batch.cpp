#include "serve/line_batch.h"

namespace heed {

// A line on its way through the search.
class LineBatch::Line {
 public:
  Line(const TextModel& model, QueuedLine queued)
      : queued_(std::move(queued)), translation_(model, *queued_.how) {}

  // Whether it has to be searched: an empty line is translated already.
  bool begin() {
    input_ = translation_.read(queued_.line, queued_.number, queued_.constraints, queued_.sentence);
    if (!input_->is_whole)
      throw_http_error(HttpStatus::kUnprocessable,
                       "a text of more than {} tokens (max_source_length); split it",
                       input_->length());
    if (input_->length() > 0) return true;
    settle([&] { queued_.receiver->translated(LineTranslation::of_empty(*input_)); });
    return false;
  }

  Request request(const std::shared_ptr<Line>& self) {
    Request request = translation_.request(*input_);
    request.follow = [self](const Hypothesis& best) { return self->follow(best); };
    return request;
  }

  void finish(std::vector<Hypothesis> found) {
    if (failure_) return fail(*failure_);
    const Translation translation = translation_.translation(*input_, std::move(found));
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
  Throttle throttle_;  // of reason_to_drop()
  std::optional<HttpError> failure_;
  bool is_settled_ = false;
};

LineBatch::LineBatch(const TextModel& model, size_t room, bool attention)
    : model_(model), room_(room), attention_(attention), search_(make_search()) {}

LineBatch::~LineBatch() = default;

std::unique_ptr<Search> LineBatch::make_search() const {
  return std::make_unique<Search>(*model_.engine, static_cast<int64_t>(room_), attention_);
}

bool LineBatch::needs_attention(const QueuedLine& line) {
  const LineOptions& how = *line.how;
  return how.attention || how.alignment || how.replace_unknown || how.search.coverage_penalty > 0;
}

void LineBatch::enter(Search& search, const std::shared_ptr<Line>& line) const {
  search.add(line->request(line),
             [line](std::vector<Hypothesis> found) { line->finish(std::move(found)); });
}

void LineBatch::add(QueuedLine queued) {
  const auto line = std::make_shared<Line>(model_, std::move(queued));
  try {
    if (!line->begin()) return;
    enter(*search_, line);
    lines_.push_back(line);
  } catch (...) {
    line->fail(current_http_error());
  }
}

void LineBatch::step() {
  if (lines_.empty()) return;
  try {
    search_->step();
  } catch (...) {
    // The search is unusable, and any of its lines may be the reason: each is tried by itself.
    search_ = make_search();
    for (const auto& line : lines_) translate_alone(line);
  }
  std::erase_if(lines_, [](const auto& line) { return line->is_settled(); });
}

void LineBatch::translate_alone(const std::shared_ptr<Line>& line) const {
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
