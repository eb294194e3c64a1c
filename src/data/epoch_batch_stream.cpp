#include "data/epoch_batch_stream.h"

#include "base/error.h"
#include "base/log.h"
#include "base/random.h"

namespace heed {

namespace {

// Lengths of a pair in tokens, with the end of each side.
struct Lengths {
  int64_t all = 0, target = 0;
};

Lengths lengths_of(const EpochLengths& epoch, PairId pair) {
  Lengths lengths;
  for (size_t side = 0; side < epoch.sides(); ++side) {
    lengths.target = epoch.length(pair, side) + 1;  // the target is the last side
    lengths.all += lengths.target;
  }
  return lengths;
}

Lengths lengths_of(const Example& example) {
  const int64_t target = std::ssize(example.target) + 1;
  Lengths lengths{.all = target, .target = target};
  for (const Ids& source : example.sources) lengths.all += std::ssize(source) + 1;
  return lengths;
}

}  // namespace

EpochBatchStream::EpochBatchStream(std::shared_ptr<const ParallelCorpus> corpus,
                                   const StreamOptions& options)
    : corpus_(std::move(corpus)), options_(options), slots_(options.ahead) {
  HEED_CHECK(options.threads > 0 && options.ahead > 0);
}

EpochBatchStream::~EpochBatchStream() { stop(); }

void EpochBatchStream::divide(const Division& division) {
  stop();
  division_ = division;
}

Batch EpochBatchStream::next() {
  if (threads_.empty()) start();
  std::unique_lock lock(mutex_);
  std::optional<Slot>& slot = slots_[taken_ % slots_.size()];
  ready_.wait(lock, [&slot] { return slot.has_value(); });
  if (slot->error) std::rethrow_exception(slot->error);
  Batch batch = std::move(slot->batch);
  position_ = slot->after;
  slot.reset();
  ++taken_;
  room_.notify_all();
  return batch;
}

void EpochBatchStream::seek(const BatchPosition& position) {
  stop();
  position_ = position;
}

void EpochBatchStream::start() {
  next_ticket_ = position_;
  drawn_ = taken_ = 0;
  stopping_ = false;
  for (auto& slot : slots_) slot.reset();
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
}

void EpochBatchStream::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void EpochBatchStream::work() {
  while (true) {
    Ticket ticket;
    size_t sequence = 0;
    {
      const std::lock_guard drawing(ticket_mutex_);
      if (!wait_for_room()) return;
      sequence = drawn_++;
      try {
        ticket = draw_ticket();
      } catch (...) {
        put(sequence, {.batch = {}, .after = {}, .error = std::current_exception()});
        return;
      }
    }
    put(sequence, make_slot(ticket));
  }
}

bool EpochBatchStream::wait_for_room() {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return stopping_ || drawn_ < taken_ + slots_.size(); });
  return !stopping_;
}

EpochBatchStream::Ticket EpochBatchStream::draw_ticket() {
  const BatchPosition at = next_ticket_;
  if (plan_epoch_ != at.epoch) {
    plan_.reset();
    plan_ = std::make_shared<const EpochPlan>(corpus_->index(), options_.limit, options_.seed,
                                              at.epoch, measure_of(at.epoch));
    plan_epoch_ = at.epoch;
  }
  if (at.batch < 0 || at.batch >= plan_->batches()) {
    throw_error(ErrorKind::kData,
                "cannot resume at batch {} of epoch {}, the epoch has {}: training data or batch "
                "settings have changed; use those that the run was started with",
                at.batch, at.epoch, plan_->batches());
  }
  const bool last = at.batch + 1 == plan_->batches();
  next_ticket_ = {last ? at.epoch + 1 : at.epoch, last ? 0 : at.batch + 1, at.number + 1};
  return {at, next_ticket_, plan_};
}

EpochPlan::Measure EpochBatchStream::measure_of(int64_t epoch) const {
  if (!corpus_->is_augmented()) return {};
  return [this, epoch](std::span<const PairId> pairs) {
    AugmentedEpoch measured = corpus_->measure({options_.seed, epoch}, pairs);
    spdlog::info("epoch {}: {}", epoch + 1, measured.count.text());
    return std::move(measured.lengths);
  };
}

// Returns all examples of the batch, since their lengths decide on its division; empty if the
// corpus is not sampled.
std::vector<Example> EpochBatchStream::sample(const Ticket& ticket) const {
  std::vector<Example> examples;
  if (!corpus_->is_sampled()) return examples;
  for (const PairId pair : ticket.plan->batch(ticket.position.batch))
    examples.push_back(example(ticket, pair, examples.size()));
  return examples;
}

Example EpochBatchStream::example(const Ticket& ticket, PairId pair, size_t row) const {
  const EpochLengths& lengths = ticket.plan->lengths();
  const bool augmented = lengths.is_augmented(pair);
  if (!augmented && !corpus_->is_sampled()) return corpus_->example(pair);
  const uint64_t key = stream_key(options_.seed, "segmentation", ticket.position.number, row);
  if (!augmented) return corpus_->sampled(pair, key);
  return corpus_->augmented(pair, {options_.seed, ticket.position.epoch}, lengths, key);
}

EpochBatchStream::Slot EpochBatchStream::make_slot(const Ticket& ticket) const {
  Slot slot{.batch = {}, .after = ticket.after, .error = nullptr};
  try {
    slot.batch.number = ticket.position.number;
    slot.batch.epoch = ticket.position.epoch;
    const auto pairs = ticket.plan->batch(ticket.position.batch);
    std::vector<Example> drawn = sample(ticket);
    std::vector<int64_t> costs;  // tokens on all sides, with their ends
    for (size_t row = 0; row < pairs.size(); ++row) {
      const Lengths lengths =
          drawn.empty() ? lengths_of(ticket.plan->lengths(), pairs[row]) : lengths_of(drawn[row]);
      costs.push_back(lengths.all);
      slot.batch.tokens += lengths.target;
    }
    slot.batch.sentences = std::ssize(costs);
    for (std::vector<int64_t>& rows : heed::divide(costs, division_)) {
      Shard& shard = slot.batch.shards.emplace_back();
      for (const int64_t row : rows)
        shard.examples.push_back(drawn.empty() ? example(ticket, pairs[row], row)
                                               : std::move(drawn[row]));
      shard.rows = std::move(rows);
    }
  } catch (...) {
    slot.error = std::current_exception();
  }
  return slot;
}

void EpochBatchStream::put(size_t sequence, Slot slot) {
  const std::lock_guard lock(mutex_);
  slots_[sequence % slots_.size()] = std::move(slot);
  ready_.notify_one();
}

}  // namespace heed
