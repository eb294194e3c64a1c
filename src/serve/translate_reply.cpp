#include "serve/translate_reply.h"

#include "serve/error_reply.h"

namespace heed {

namespace {

HttpError no_memory() {
  return {HttpStatus::kTooManyRequests,
          "the answers of all requests take all memory (--max-memory); send fewer texts, ask for "
          "less, or send the request again later"};
}

class ReceiverOfReply final : public LineReceiver {
 public:
  ReceiverOfReply(std::shared_ptr<TranslateReply> reply, size_t line, std::string model)
      : reply_(std::move(reply)), line_(line), model_(std::move(model)) {}
  bool is_waiting() override { return reply_->is_waiting(); }
  bool follows() const override { return reply_->follows(); }
  void beginning(const std::string& text) override { reply_->begun(line_, text); }
  void translated(const TranslatedLine& translation) override {
    reply_->count_line(model_, translation);
    reply_->translated(line_, translation);
  }
  void failed(const HttpError& error) override { reply_->failed(error); }

 private:
  std::shared_ptr<TranslateReply> reply_;
  size_t line_;
  std::string model_;
};

}  // namespace

void TranslateReply::begun(size_t line, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!has_failed_) beginning(line, text);
}

void TranslateReply::count_line(const std::string& model, const TranslatedLine& translation) {
  const Translated& best = translation.best.front();
  to_.metrics->count_line(model, std::ssize(best.pieces), best.limited);
}

void TranslateReply::translated(size_t line, const TranslatedLine& translation) {
  const std::lock_guard lock(mutex_);
  if (has_failed_) return;
  if (!add(line, translation)) return fail(no_memory());
  if (--left_ > 0) return;
  count(HttpStatus::kOk);
  finish();
}

void TranslateReply::failed(const HttpError& error) {
  const std::lock_guard lock(mutex_);
  fail(error);
}

void TranslateReply::send_failure(const HttpError& error) {
  send_error(*to_.http, error, to_.timer.path);
}

void TranslateReply::count(HttpStatus status) {
  to_.metrics->count_request(to_.timer.path, static_cast<int>(status), to_.timer.seconds());
}

void TranslateReply::fail(const HttpError& error) {
  if (has_failed_.exchange(true)) return;  // the client knows already
  count(error.status());
  to_.failures->add(to_.timer.path, error);
  send_failure(error);
}

std::shared_ptr<LineReceiver> receiver_of(std::shared_ptr<TranslateReply> reply, size_t line,
                                          const std::string& model) {
  return std::make_shared<ReceiverOfReply>(std::move(reply), line, model);
}

TranslateReply::Receivers receivers_of(const std::shared_ptr<TranslateReply>& reply, size_t lines,
                                       const std::string& model) {
  TranslateReply::Receivers receivers;
  for (size_t i = 0; i < lines; ++i) receivers.push_back(receiver_of(reply, i, model));
  return receivers;
}

}  // namespace heed
