// Lines for a model of three words whose engine is a table, and a receiver for their results.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "search/table_engine.h"
#include "serve/memory_budget.h"
#include "serve/translation_queue.h"
#include "text/words.h"

namespace heed {

class Receiver final : public LineReceiver {
 public:
  bool is_waiting() override { return waiting; }
  bool follows() const override { return true; }
  void beginning(const std::string&) override { on_beginning(); }
  void translated(const TranslatedLine& translation) override {
    texts.push_back(translation.text());
    on_translated();
    ++ended;
  }
  void failed(const HttpError& error) override {
    errors.push_back(error.reason());
    ++ended;
  }

  std::atomic<bool> waiting = true;
  std::atomic<int> ended = 0;  // lines
  std::function<void()> on_beginning = [] {}, on_translated = [] {};
  std::vector<std::string> texts, errors;
};

struct TestLines {
  TestLines() {
    const auto codec = std::make_shared<const Codec>(
        std::make_shared<WordTokenizer>("", false),
        std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b", "c"}));
    model.sources = model.inputs = {"source"};
    model.codecs = {{"source", codec}, {kTargetSide, codec}};
    model.engine = std::make_shared<FakeEngine>();
    how->search.beam = 2;
  }
  // Sets the length of all translations, in tokens.
  void set_length(int64_t tokens) const {
    how->search.min_length = how->search.max_length_extra = tokens;
    how->search.max_length_ratio = 0;
  }
  QueuedLine line(const std::string& text, const std::shared_ptr<Receiver>& receiver) const {
    return {.line = {text},
            .how = std::make_shared<const LineOptions>(*how),
            .deadline = ServeClock::now() + std::chrono::hours(1),
            .receiver = receiver};
  }

  TextModel model;
  mutable MemoryBudget memory{1e9};
  std::shared_ptr<LineOptions> how = std::make_shared<LineOptions>();
};

}  // namespace heed
