// The initialization of `norm: admin` by the first batch of a new run.
#include <gtest/gtest.h>

#include "model/admin.h"
#include "train/first_batch.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

ModelConfig admin_model(NormPlace norm = NormPlace::kAdmin) {
  ModelConfig config = tiny_transformer(0.2);
  dynamic_cast<TransformerEncoderConfig&>(*config.encoder).norm = norm;
  dynamic_cast<TransformerDecoderConfig&>(*config.decoder).norm = norm;
  return config;
}

NamedTensors omegas_of(const Seq2Seq& network) {
  NamedTensors omegas;
  for (const auto& [name, tensor] : tensors_of(network)) {
    if (name.ends_with(".omega")) omegas[name] = tensor.clone();
  }
  return omegas;
}

void expect_equal(const NamedTensors& a, const NamedTensors& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(tensor.equal(b.at(name))) << name;
}

// One of two processes, which finds that nothing is sent before the training begins.
class OneOfTwo final : public Reducer {
 public:
  explicit OneOfTwo(int64_t rank) : rank_(rank) {}
  int64_t rank() const override { return rank_; }
  int64_t processes() const override { return 2; }
  void sum(const Tensor&, SumPrecision) override { ADD_FAILURE(); }
  void broadcast(const Tensor&) override { ADD_FAILURE(); }
  void gather_parts(const Tensor&) override { ADD_FAILURE(); }
  std::vector<std::string> gather(const std::string& bytes) override {
    ADD_FAILURE();
    return {bytes, bytes};
  }
  bool any(bool here) override {
    ADD_FAILURE();
    return here;
  }

 private:
  int64_t rank_;
};

class AdminTraining : public testing::Test {
 protected:
  TrainJob job(const std::string& name, const ModelConfig& model = admin_model()) const {
    return tiny_job_of_workers(folder / name, model);
  }
  TemporaryFolder folder;
};

TEST_F(AdminTraining, BeginsWithOmegaOfTheFirstBatch) {
  const TrainJob one = job("run");
  Seq2Seq expected(one.model.model, tiny_sizes(), one.seed);
  initialize_omegas(expected, examples_of(TinyStream().next()), {kSourceSide});
  const NamedTensors omegas = omegas_of(expected);
  EXPECT_EQ(omegas.size(), 2 * 2 + 2 * 3U);
  double largest = 0;
  for (const auto& [name, omega] : omegas) largest = std::max(largest, omega.max().item<double>());
  EXPECT_GT(largest, 1.2);
  const Training training(one, std::nullopt);
  expect_equal(omegas_of(training.network()), omegas);
  ASSERT_FALSE(training.notes().empty());
  EXPECT_NE(training.notes().back().find("ω of 10 residual connections is initialized by 6 sent"),
            std::string::npos)
      << training.notes().back();
}

TEST_F(AdminTraining, LeavesTheFirstBatchToTheFirstUpdate) {
  const TrainJob admin = job("admin"), post = job("post", admin_model(NormPlace::kPost));
  const Training one(admin, std::nullopt), other(post, std::nullopt);
  EXPECT_EQ(one.job().batches->position(), BatchPosition());
  EXPECT_EQ(describe_first_batch(one.job()), describe_first_batch(other.job()));
}

TEST_F(AdminTraining, HasTheSameOmegaWithAnyNumberOfWorkersAndProcesses) {
  const Training one(job("one"), std::nullopt);
  TrainJob alone = job("alone");
  alone.train.workers = 1;
  expect_equal(omegas_of(Training(alone, std::nullopt).network()), omegas_of(one.network()));
  for (const int64_t rank : {0, 1}) {
    TrainJob part = job(fmt::format("part_{}", rank));
    part.processes = std::make_shared<OneOfTwo>(rank);
    expect_equal(omegas_of(Training(part, std::nullopt).network()), omegas_of(one.network()));
  }
}

TEST_F(AdminTraining, ResumedEqualsUninterrupted) {
  expect_resumed_equals_uninterrupted([this](const char* name) { return job(name); }, 5);
}

TEST_F(AdminTraining, TrainsOmega) {
  const TrainJob one = job("run");
  const NamedTensors before = omegas_of(Training(one, std::nullopt).network());
  EXPECT_EQ(train_run(one), 0);
  const Checkpoint last = load_checkpoint(*one.folder.latest(), torch::kCPU);
  for (const auto& [name, omega] : omegas_of(*last.model.network)) {
    EXPECT_FALSE(omega.equal(before.at(name))) << name;
    EXPECT_GT((omega - omega.mean()).abs().max().item<double>(), 0) << "each element is learned";
  }
}

TEST_F(AdminTraining, KeepsOmegaWhereItIsFrozen) {
  TrainJob one = job("run");
  const NamedTensors before = omegas_of(Training(one, std::nullopt).network());
  one.train.freeze = {"omega"};
  EXPECT_EQ(train_run(one), 0);
  expect_equal(omegas_of(*load_checkpoint(*one.folder.latest(), torch::kCPU).model.network),
               before);
}

// A model with ω = 1 is the same as with post-norm.
TEST_F(AdminTraining, TakesOmegaOfAnInitialModel) {
  for (const NormPlace former : {NormPlace::kAdmin, NormPlace::kPost}) {
    const std::string name = former == NormPlace::kAdmin ? "admin" : "post";
    const TrainJob first = job(name, admin_model(former));
    EXPECT_EQ(train_run(first), 0);
    TrainJob second = job(name + "_tuned");
    second.init.model = first.folder.latest()->string();
    second.init.missing = InitConfig::Missing::kWarn;
    second.initial = load_initial_model(second.init);
    const NamedTensors given = omegas_of(*second.initial->model.network);
    const Training training(second, std::nullopt);
    for (const auto& [omega, value] : omegas_of(training.network())) {
      const Tensor expected =
          former == NormPlace::kAdmin ? given.at(omega) : torch::ones_like(value);
      EXPECT_TRUE(value.equal(expected)) << omega;
    }
    EXPECT_NE(training.notes().back().find("ω, which init.model has"), std::string::npos);
  }
}

}  // namespace
}  // namespace heed
