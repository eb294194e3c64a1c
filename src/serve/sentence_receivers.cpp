#include "serve/sentence_receivers.h"

#include <mutex>

#include "serve/throttle.h"
#include "translate/joined_sentences.h"

namespace heed {

namespace {

// State that the sentences of a line share. Several threads translate them.
class SharedLine {
 public:
  SharedLine(const TextModel& model, const QueuedLine& queued, SplitLine split)
      : direction_(queued.text),
        model_(direction_ ? *direction_ : model),
        how_(queued.how),
        split_(std::move(split)),
        line_(queued.receiver),
        texts_(split_.sentences.size()),
        translations_(texts_.size()),
        left_(texts_.size()) {}

  bool is_waiting() {
    const std::lock_guard lock(mutex_);
    return left_ > 0 && line_->is_waiting();
  }
  bool follows() const { return line_->follows(); }

  void begun(size_t sentence, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return;
    texts_[sentence] = text;
    if (throttle_.is_due()) line_->beginning(joined_text(split_, texts_));
  }

  void translated(size_t sentence, const TranslatedLine& translation) {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return;
    texts_[sentence] = translation.text();
    translations_[sentence] = translation;
    if (--left_ == 0) line_->translated(joined(model_, *how_, split_, std::move(translations_)));
  }

  void failed(const HttpError& error) {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return;
    left_ = 0;
    line_->failed(error);
  }

 private:
  const std::shared_ptr<const TextModel> direction_;
  const TextModel& model_;
  const std::shared_ptr<const LineOptions> how_;
  const SplitLine split_;
  const std::shared_ptr<LineReceiver> line_;
  std::mutex mutex_;
  std::vector<std::string> texts_;
  std::vector<TranslatedLine> translations_;
  Throttle throttle_;  // of joined_text(), which takes longer than a token of a sentence
  size_t left_;        // sentences without a translation; 0: the line has its answer
};

class SentenceReceiver final : public LineReceiver {
 public:
  SentenceReceiver(std::shared_ptr<SharedLine> line, size_t sentence)
      : line_(std::move(line)), sentence_(sentence) {}
  bool is_waiting() override { return line_->is_waiting(); }
  bool follows() const override { return line_->follows(); }
  void beginning(const std::string& text) override { line_->begun(sentence_, text); }
  void translated(const TranslatedLine& translation) override {
    line_->translated(sentence_, translation);
  }
  void failed(const HttpError& error) override { line_->failed(error); }

 private:
  std::shared_ptr<SharedLine> line_;
  size_t sentence_;
};

}  // namespace

void SentenceRoom::take(size_t sentences, size_t avoided) {
  constexpr size_t kPhrasesOfASentence = 50;
  if (sentences < 2) return;
  const size_t cost = sentences * (1 + avoided / kPhrasesOfASentence);
  if (cost > left_)
    throw_http_error(HttpStatus::kBadRequest,
                     "the texts have too many sentences, {} and more; send less text, or fewer "
                     "phrases of avoid, or \"split\": false",
                     sentences);
  left_ -= cost;
}

std::vector<QueuedLine> sentences_of(const TextModel& model, QueuedLine line, SentenceRoom& room) {
  const bool has_phrases = line.phrases != nullptr && !line.phrases->phrases.empty();
  SplitLine split =
      split_line(line.text ? *line.text : model, *line.how, line.line, line.prefix, has_phrases);
  room.take(split.sentences.size(), line.phrases == nullptr ? 0 : line.phrases->avoided.size());
  if (split.sentences.size() == 1 && split.warnings.empty() && split.markup == nullptr) {
    line.line = std::move(split.sentences.front().line);
    return {std::move(line)};
  }
  const auto shared = std::make_shared<SharedLine>(model, line, split);
  std::vector<QueuedLine> sentences;
  for (SplitLine::Sentence& own : split.sentences) {
    QueuedLine& sentence = sentences.emplace_back(line);
    sentence.line = std::move(own.line);
    sentence.prefix = std::move(own.prefix);
    sentence.sentence = std::ssize(sentences) - 1;
    sentence.receiver =
        std::make_shared<SentenceReceiver>(shared, static_cast<size_t>(sentence.sentence));
  }
  return sentences;
}

}  // namespace heed
