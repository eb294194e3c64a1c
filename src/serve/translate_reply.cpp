#include "serve/translate_reply.h"

#include <atomic>
#include <mutex>

#include "request/json.h"
#include "request/line_json.h"
#include "serve/error_reply.h"
#include "translate/translation_json.h"

namespace heed {

namespace {

// State that the receivers of the lines of a request share. Several threads translate the lines.
class Reply {
 public:
  Reply(const TranslateRequest& request, ReplyTo to)
      : model_(request.model->name),
        how_(request.how),
        to_(std::move(to)),
        left_(std::ssize(request.lines)) {}
  virtual ~Reply() = default;

  bool is_waiting() const { return !has_failed_ && !to_.http->is_gone(); }
  virtual bool follows() const { return false; }

  void begun(size_t line, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (!has_failed_) beginning(line, text);
  }

  void translated(size_t line, const TranslatedLine& translation) {
    const Translated& best = translation.best.front();
    to_.metrics->count_line(model_, std::ssize(best.pieces), best.limited);
    const std::lock_guard lock(mutex_);
    if (has_failed_) return;
    if (!add(line, translation)) return fail(no_memory());
    if (--left_ > 0) return;
    count(HttpStatus::kOk);
    finish();
  }

  void failed(const HttpError& error) {
    const std::lock_guard lock(mutex_);
    fail(error);
  }

 protected:
  // Called by one thread at a time, and never after finish() or send_failure().
  virtual void beginning(size_t, const std::string&) {}
  // False: the memory is full.
  virtual bool add(size_t line, const TranslatedLine& translation) = 0;
  virtual void finish() = 0;
  virtual void send_failure(const HttpError& error) = 0;

  void count(HttpStatus status) {
    to_.metrics->count_request(to_.timer.path, static_cast<int>(status), to_.timer.seconds());
  }

  const std::string model_;
  const LineOptions how_;
  ReplyTo to_;

 private:
  static HttpError no_memory() {
    return {HttpStatus::kTooManyRequests,
            "the answers of all requests take all memory (--max-memory); send fewer texts, ask for "
            "less, or send the request again later"};
  }
  void fail(const HttpError& error) {
    if (has_failed_.exchange(true)) return;  // the client knows already
    count(error.status());
    to_.failures->add(to_.timer.path, error);
    send_failure(error);
  }

  std::mutex mutex_;
  int64_t left_;
  std::atomic<bool> has_failed_ = false;
};

// Sends all lines in one body.
class WholeReply : public Reply {
 public:
  WholeReply(const TranslateRequest& request, ReplyTo to)
      : Reply(request, std::move(to)), lines_(request.lines.size()) {}

  bool add(size_t line, const TranslatedLine& translation) override {
    lines_[line] = json_text(line_json(static_cast<int64_t>(line) + 1, translation, how_));
    return to_.http->reserve(std::ssize(lines_[line]));
  }
  void finish() override {
    std::vector<std::string> body = {fmt::format("{{\"model\":{},\"lines\":[", json_text(model_))};
    for (std::string& line : lines_) {
      if (body.size() > 1) body.push_back(",");
      body.push_back(std::move(line));
    }
    body.push_back("]}\n");
    to_.http->send_parts(static_cast<int>(HttpStatus::kOk), kJsonType, std::move(body));
  }
  void send_failure(const HttpError& error) override {
    lines_.clear();
    send_error(*to_.http, error);
  }

 private:
  std::vector<std::string> lines_;  // as JSON
};

// Sends each line as soon as it is translated, and its beginnings before.
class EventReply final : public Reply {
 public:
  EventReply(const TranslateRequest& request, ReplyTo to)
      : Reply(request, std::move(to)), beginnings_(request.lines.size()) {}

  bool follows() const override { return true; }
  void beginning(size_t line, const std::string& text) override {
    // A client that reads slowly gets fewer beginnings, so that memory does not grow.
    constexpr size_t kBacklog = 16 << 10;
    if (text == beginnings_[line] || to_.http->backlog() > kBacklog) return;
    beginnings_[line] = text;
    to_.http->event("beginning", json_text({{"line", line + 1}, {"text", text}}));
  }
  bool add(size_t line, const TranslatedLine& translation) override {
    return to_.http->event("line",
                           json_text(line_json(static_cast<int64_t>(line) + 1, translation, how_)));
  }
  void finish() override {
    to_.http->event("done", json_text({{"model", model_}}));
    to_.http->end();
  }
  void send_failure(const HttpError& error) override {
    to_.http->event("error", json_text({{"error", error.what()}}));
    to_.http->end();
  }

 private:
  std::vector<std::string> beginnings_;  // of each line, the last that was sent
};

class OpennmtReply final : public Reply {
 public:
  OpennmtReply(const TranslateRequest& request, ReplyTo to)
      : Reply(request, std::move(to)),
        ranks_(request.how.search.nbest, std::vector<Json>(request.lines.size())) {
    for (const SourceLine& line : request.lines) sources_.push_back(line.front());
  }

  // A list shorter than n_best, such as that of an empty line, is filled with empty texts without a
  // score.
  bool add(size_t line, const TranslatedLine& translation) override {
    int64_t bytes = 0;
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      Json& entry = ranks_[rank][line];
      entry = {{"src", sources_[line]}, {"tgt", ""}, {"n_best", ranks_.size()}};
      entry["pred_score"] = nullptr;
      entry["warnings"] = warnings_json(translation.warnings);
      if (rank >= translation.best.size()) continue;
      entry["tgt"] = translation.best[rank].text;
      entry["pred_score"] = translation.best[rank].score;
      entry["finished"] = translation.best[rank].finished;
      bytes += std::ssize(sources_[line]) + std::ssize(translation.best[rank].text);
    }
    constexpr int64_t kCopies = 2;  // JSON, and its text
    return to_.http->reserve(kCopies * bytes);
  }
  void finish() override {
    to_.http->send(static_cast<int>(HttpStatus::kOk), kJsonType,
                   json_text(Json(std::move(ranks_))) + "\n");
  }
  void send_failure(const HttpError& error) override { send_error(*to_.http, error); }

 private:
  std::vector<std::string> sources_;
  std::vector<std::vector<Json>> ranks_;  // by rank and line
};

// Receiver of one line of a reply.
class ReceiverOfReply final : public LineReceiver {
 public:
  ReceiverOfReply(std::shared_ptr<Reply> reply, size_t line)
      : reply_(std::move(reply)), line_(line) {}
  bool is_waiting() override { return reply_->is_waiting(); }
  bool follows() const override { return reply_->follows(); }
  void beginning(const std::string& text) override { reply_->begun(line_, text); }
  void translated(const TranslatedLine& translation) override {
    reply_->translated(line_, translation);
  }
  void failed(const HttpError& error) override { reply_->failed(error); }

 private:
  std::shared_ptr<Reply> reply_;
  size_t line_;
};

std::vector<std::shared_ptr<LineReceiver>> receivers_of(const std::shared_ptr<Reply>& reply,
                                                        size_t lines) {
  std::vector<std::shared_ptr<LineReceiver>> receivers;
  for (size_t i = 0; i < lines; ++i)
    receivers.push_back(std::make_shared<ReceiverOfReply>(reply, i));
  return receivers;
}

}  // namespace

std::vector<std::shared_ptr<LineReceiver>> json_receivers(const TranslateRequest& request,
                                                          ReplyTo to) {
  std::shared_ptr<Reply> reply;
  if (request.stream)
    reply = std::make_shared<EventReply>(request, std::move(to));
  else
    reply = std::make_shared<WholeReply>(request, std::move(to));
  return receivers_of(reply, request.lines.size());
}

std::vector<std::shared_ptr<LineReceiver>> opennmt_receivers(const TranslateRequest& request,
                                                             ReplyTo to) {
  return receivers_of(std::make_shared<OpennmtReply>(request, std::move(to)), request.lines.size());
}

}  // namespace heed
