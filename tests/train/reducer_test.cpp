// Two processes, here threads, that train together compute the same numbers as one process.
#include "distributed/reducer.h"

#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "nn/torch.h"

#include "batch_of.h"
#include "holds.h"
#include "train/fakes.h"
#include "train/optimizer.h"
#include "train/tiny_run.h"
#include "train/workers.h"

namespace heed {
namespace {

constexpr int64_t kProcesses = 2;

// Shared data of the threads.
struct Meeting {
  std::barrier<> barrier{kProcesses};
  std::vector<Tensor> tensors = std::vector<Tensor>(kProcesses);
  std::vector<int> words = std::vector<int>(kProcesses);
};

class ThreadReducer final : public Reducer {
 public:
  ThreadReducer(Meeting& meeting, int64_t rank) : meeting_(meeting), rank_(rank) {}
  int64_t rank() const override { return rank_; }
  int64_t processes() const override { return kProcesses; }
  using Reducer::sum;
  void sum(const Tensor& flat, SumPrecision) override {
    const auto all = exchange(flat);
    flat.copy_(all[0] + all[1]);
  }
  void broadcast(const Tensor& flat) override { flat.copy_(exchange(flat)[0]); }
  void gather_parts(const Tensor& flat) override {
    const auto all = exchange(flat);
    for (int64_t r = 0; r < kProcesses; ++r) {
      const BufferPart part = part_of(flat.numel(), r, kProcesses);
      flat.narrow(0, part.begin, part.size)
          .copy_(all[static_cast<size_t>(r)].narrow(0, part.begin, part.size));
    }
  }
  std::vector<std::string> gather(const std::string& bytes) override { return {bytes}; }
  bool any(bool here) override {
    meeting_.words[static_cast<size_t>(rank_)] = here ? 1 : 0;
    meeting_.barrier.arrive_and_wait();
    const bool found = meeting_.words[0] + meeting_.words[1] > 0;
    meeting_.barrier.arrive_and_wait();
    return found;
  }

 private:
  std::vector<Tensor> exchange(const Tensor& own) {
    meeting_.tensors[static_cast<size_t>(rank_)] = own.clone();
    meeting_.barrier.arrive_and_wait();
    const std::vector<Tensor> all = meeting_.tensors;
    meeting_.barrier.arrive_and_wait();
    return all;
  }

  Meeting& meeting_;
  int64_t rank_;
};

struct Trained {
  Tensor parameters;
  Progress progress;
  std::vector<double> norms{}, losses{};
  NamedTensors state{};  // optimizer state
  double kept = 0;       // size of the optimizer state in this process
};

// workers: those of this process. seed: that of the initial parameters. shard: true to shard the
// optimizer.
Trained train(Reducer& reducer, int64_t workers, uint64_t seed,
              const std::shared_ptr<OptimizerConfig>& kind = {}, bool shard = false) {
  torch::set_num_threads(1);
  TrainConfig config;
  config.max_updates = 6;
  config.log_every = 1;
  config.accumulate = 2;
  auto network = std::make_shared<Seq2Seq>(tiny_rnn(0.3), tiny_sizes(), seed);
  network->train();
  FlatParameters parameters(*network);
  if (kind) config.optimizer = kind;
  const auto optimizer = build(
      *config.optimizer, shard ? ParameterShard(parameters, reducer) : ParameterShard(parameters));
  const CrossEntropy objective({"source"}, {.label_smoothing = 0.1});
  SummedWorkers summed(make_workers(network, parameters, objective, 1, workers), parameters,
                       reducer);
  TinyStream stream;
  stream.divide({.workers = workers, .rank = reducer.rank(), .processes = reducer.processes()});
  reducer.broadcast(parameters.values());
  Fakes fakes;
  Trainer trainer(
      config, {stream, summed, *optimizer, nullptr, fakes.store, fakes.log, fakes.clock, reducer},
      {});
  trainer.run();
  Trained trained{.parameters = parameters.values().clone(), .progress = trainer.progress()};
  const ParameterShard own =
      shard ? ParameterShard(parameters, reducer) : ParameterShard(parameters);
  trained.kept = static_cast<double>(own.values().numel());
  optimizer->collect();
  for (const auto& [name, tensor] : optimizer->state()) trained.state[name] = tensor.clone();
  optimizer->release();
  for (const UpdateReport& report : fakes.log.reports)
    trained.norms.push_back(report.gradient_norm);
  for (const Progress& line : fakes.log.lines) trained.losses.push_back(line.since_log.loss);
  return trained;
}

// Results of work(reducer) in two processes, which are threads.
template <class Work>
auto in_two_processes(const Work& work) {
  Meeting meeting;
  std::vector<decltype(work(std::declval<Reducer&>()))> found(kProcesses);
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < kProcesses; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadReducer reducer(meeting, rank);
      found[static_cast<size_t>(rank)] = work(reducer);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return found;
}

TEST(Reducer, TwoProcessesGiveTheNumbersOfOne) {
  OneProcess alone;
  const Trained expected = train(alone, 2, 1);
  const auto trained = in_two_processes(
      [](Reducer& reducer) { return train(reducer, 1, reducer.rank() == 0 ? 1 : 77); });
  for (const Trained& one : trained) {
    EXPECT_TRUE(torch::equal(one.parameters, expected.parameters));
    EXPECT_EQ(one.norms, expected.norms);
    EXPECT_EQ(one.losses, expected.losses);
    EXPECT_EQ(one.progress.examples, expected.progress.examples);
    EXPECT_EQ(one.progress.position, expected.progress.position);
  }
}

// The gradients are added in another order.
TEST(Reducer, TwoProcessesOfThreeWorkersGiveTheNumbersOfSixButForRounding) {
  OneProcess alone;
  const Trained expected = train(alone, 6, 1);
  const auto trained = in_two_processes([](Reducer& reducer) { return train(reducer, 3, 1); });
  EXPECT_TRUE(torch::equal(trained[0].parameters, trained[1].parameters));
  EXPECT_TRUE(torch::allclose(trained[0].parameters, expected.parameters, 1e-4, 1e-5));
}

// Sets a momentum if the optimizer has this setting.
std::shared_ptr<OptimizerConfig> with_state(const Kind<OptimizerConfig>& kind) {
  const auto config = kind.make();
  if (const auto sgd = std::dynamic_pointer_cast<SgdConfig>(config)) sgd->momentum = 0.9;
  if (const auto rmsprop = std::dynamic_pointer_cast<RmspropConfig>(config))
    rmsprop->momentum = 0.9;
  return config;
}

TEST(Reducer, AShardedOptimizerGivesTheNumbersOfAWholeOne) {
  holds({"train.shard_optimizer"});
  for (const Kind<OptimizerConfig>& kind : optimizers()) {
    const auto config = with_state(kind);
    if (!config->updates_elements()) continue;
    OneProcess alone;
    const Trained expected = train(alone, 2, 1, config);
    ASSERT_GT(expected.state.size(), 1u) << kind.name;
    for (const Trained& one : in_two_processes(
             [&](Reducer& reducer) { return train(reducer, 1, 1, config, /*shard=*/true); })) {
      EXPECT_TRUE(torch::equal(one.parameters, expected.parameters)) << kind.name;
      for (const auto& [name, tensor] : expected.state)
        EXPECT_TRUE(torch::equal(one.state.at(name), tensor)) << kind.name << ": " << name;
      EXPECT_LT(one.kept, 0.6 * expected.kept) << kind.name;
    }
  }
}

struct OneGradient {
  Tensor gradient;
  TokenSums sums;
};

OneGradient gradient_of(Reducer& reducer, const std::vector<Example>& sentences) {
  torch::set_num_threads(1);
  auto network = std::make_shared<Seq2Seq>(tiny_rnn(0.3), tiny_sizes(), 1);
  FlatParameters parameters(*network);
  const CrossEntropy objective({"source"}, {.label_smoothing = 0.1});
  SummedWorkers workers(make_workers(network, parameters, objective, 1, 1), parameters, reducer);
  Update update{.number = 1};
  update.add(batch_of(sentences, {.rank = reducer.rank(), .processes = reducer.processes()}));
  const TokenSums sums = workers.gradient(update);
  return {parameters.gradient().clone(), sums};
}

TEST(Reducer, AProcessWithoutASentenceHasTheNumbersOfTheOthers) {
  auto sentences = examples_of(TinyStream().next());
  sentences.resize(1);
  OneProcess alone;
  const OneGradient expected = gradient_of(alone, sentences);
  EXPECT_GT(expected.gradient.norm().item<double>(), 0);
  for (const OneGradient& one :
       in_two_processes([&](Reducer& reducer) { return gradient_of(reducer, sentences); })) {
    EXPECT_TRUE(torch::equal(one.gradient, expected.gradient));
    EXPECT_EQ(one.sums.loss, expected.sums.loss);
    EXPECT_EQ(one.sums.tokens, expected.sums.tokens);
    EXPECT_EQ(one.sums.examples, 1);
  }
}

// Throws an error in process 1.
class FailingWorkers final : public LocalWorkers {
 public:
  explicit FailingWorkers(bool fails) : fails_(fails) {}
  LossSums gradient(const Update&) override {
    if (fails_) throw Error(ErrorKind::kData, "no");
    return {};
  }
  void sum_in(GradientBuckets&) override {}

 private:
  bool fails_;
};

TEST(Reducer, WhatOneProcessThrowsEndsTheUpdateInAll) {
  const auto ends = in_two_processes([](Reducer& reducer) -> std::string {
    Seq2Seq network(tiny_rnn(), tiny_sizes(), 1);
    FlatParameters parameters(network);
    SummedWorkers workers(std::make_unique<FailingWorkers>(reducer.rank() == 1), parameters,
                          reducer);
    try {
      workers.gradient({});
    } catch (const Interrupted&) {
      return "interrupted";
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  });
  EXPECT_EQ(ends, (std::vector<std::string>{
                      "process 0 of 2: another process failed, and says why; training ends in "
                      "all, and can be resumed from the last checkpoint (--resume)",
                      "no"}));
}

}  // namespace
}  // namespace heed
