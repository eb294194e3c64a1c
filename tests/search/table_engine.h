// Engine that is a table of probabilities, drawn for each source.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "search/engine.h"

namespace heed {

inline constexpr int32_t kVocabulary = 7;  // kPad, kUnknown, kBegin, kEnd and three letters

// Table of log p(y_t | y_{t-1}, t, x), drawn for each source x, which is one number.
class Table {
 public:
  double operator()(int32_t source, size_t t, int32_t before, int32_t id) const {
    double sum = 0;
    for (int32_t other = 0; other < kVocabulary; ++other) sum += mass(source, t, before, other);
    return std::log(mass(source, t, before, id) / sum);
  }
  // Attention weights of token t over a source of two pieces and kEnd.
  static std::vector<double> attention(int32_t source, int32_t id) {
    const double first = (source * 7 + id * 3) % 10 / 10.0;
    return {first, (1 - first) / 2, (1 - first) / 2};
  }

 private:
  static double mass(int32_t source, size_t t, int32_t before, int32_t id) {
    RandomStream random(stream_key(source, "table", t * 100 + before * 10 + id));
    const auto draw = static_cast<double>(random.below(1000) + 1) / 1000;
    return draw * draw * draw;
  }
};

// Repetition penalty of Keskar et al. 2019 by its definition, in the engine.
struct PenalizedTable {
  double theta = 1;
  // ids: the hypothesis, with kBegin.
  double log_probability(int32_t source, const Ids& ids, int32_t id) const {
    const double own = Table()(source, ids.size(), ids.back(), id);
    return std::ranges::count(ids, id) > 0 ? theta * own : own;
  }
};

// Counts the calls of the engine.
struct Calls {
  int64_t starts = 0, joins = 0, steps = 0, most_rows = 0, most_probable = 0;
};

class FakeDecoding final : public Decoding {
 public:
  FakeDecoding(const std::vector<const Example*>& sentences, bool attention, Calls& calls,
               PenalizedTable table)
      : calls_(calls), attends_(attention), table_(table) {
    for (const Example* sentence : sentences) rows_.push_back({sentence->sources[0][0], {}});
    ++calls_.starts;
  }
  void step(const std::vector<int32_t>& tokens) override {
    ASSERT_EQ(tokens.size(), rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) rows_[i].ids.push_back(tokens[i]);
    ++calls_.steps;
    calls_.most_rows = std::max(calls_.most_rows, std::ssize(rows_));
  }
  TopK best(int64_t count, const Limits& limits, const Distributions& distributions) override {
    for (const int64_t row : distributions.rows) {
      const bool is_forced = std::ranges::count(limits.forced, row, &Limits::Token::row) > 0;
      if (!is_forced) distributions.visit(row, distribution(row, limits));
    }
    TopK best{std::min<int64_t>(count, kVocabulary), {}, {}};
    for (int64_t r = 0; r < std::ssize(rows_); ++r) {
      std::vector<std::pair<double, int32_t>> order;
      for (int32_t id = 0; id < kVocabulary; ++id) {
        if (!may(limits, r, id)) continue;
        const bool is_forced = std::ranges::count(limits.forced, r, &Limits::Token::row) > 0;
        const PenalizedTable table = is_forced ? PenalizedTable() : table_;
        order.emplace_back(-table.log_probability(rows_[r].source, rows_[r].ids, id), id);
      }
      std::sort(order.begin(), order.end());
      for (int64_t k = 0; k < best.count; ++k) {
        const bool exists = k < std::ssize(order);
        best.id.push_back(exists ? order[k].second : -1);
        best.log_probability.push_back(exists ? -order[k].first : -INFINITY);
      }
    }
    return best;
  }
  std::vector<int32_t> most_probable(const Limits& limits) override {
    ++calls_.most_probable;
    return Decoding::most_probable(limits);
  }
  std::vector<float> distribution(int64_t row, const Limits& limits) const {
    std::vector<float> log_probabilities;
    for (int32_t id = 0; id < kVocabulary; ++id)
      log_probabilities.push_back(may(limits, row, id) ? static_cast<float>(table_.log_probability(
                                                             rows_[row].source, rows_[row].ids, id))
                                                       : -INFINITY);
    return log_probabilities;
  }
  std::optional<std::span<const double>> attention(int64_t row) override {
    if (!attends_) return std::nullopt;
    return attention_ = Table::attention(rows_[row].source, rows_[row].ids.back());
  }
  // All hypotheses of a group belong to one sentence; sentences keep their order.
  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    ASSERT_EQ(rows.size() % hypotheses, 0);
    std::vector<Row> gathered;
    int64_t last = -1;
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t from = rows[i] / hypotheses_;
      EXPECT_TRUE(i % hypotheses == 0 ? from > last : from == last) << "row " << i;
      last = from;
      gathered.push_back(rows_.at(rows[i]));
    }
    rows_ = std::move(gathered);
    hypotheses_ = hypotheses;
  }
  void join(std::unique_ptr<Decoding> more) override {
    const auto& other = dynamic_cast<FakeDecoding&>(*more);
    EXPECT_EQ(other.hypotheses_, hypotheses_);
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
    ++calls_.joins;
  }

 private:
  struct Row {
    int32_t source;
    Ids ids;  // with kBegin
  };
  static bool may(const Limits& limits, int64_t row, int32_t id) {
    for (const auto& forced : limits.forced) {
      if (forced.row == row) return forced.id == id;
    }
    return std::ranges::none_of(
        limits.banned, [&](const auto& banned) { return banned.row == row && banned.id == id; });
  }

  Calls& calls_;
  bool attends_;
  PenalizedTable table_;
  std::vector<Row> rows_;
  int64_t hypotheses_ = 1;
  std::vector<double> attention_;
};

class FakeEngine final : public Engine {
 public:
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override {
    return std::make_unique<FakeDecoding>(sentences, attention, calls, table);
  }
  PenalizedTable table{};
  mutable Calls calls;
};

inline Example sentence(int32_t source) { return {.sources = {{source, source}}, .target = {}}; }

}  // namespace heed
