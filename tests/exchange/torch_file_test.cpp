// Files of torch.save(), whole and damaged; expected values by PyTorch
// (scripts/fixtures/torch_files.py).
#include "exchange/torch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <random>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "exchange/fixtures.h"
#include "exchange/pickle.h"
#include "exchange/stored_tensors.h"
#include "exchange/weights_file.h"
#include "model/safetensors.h"

namespace heed {
namespace {

std::filesystem::path torch_fixture(const std::string& name) {
  return exchange_fixture("torch") / name;
}

class TorchFiles : public testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path file(const std::string& name) const {
    return torch_fixture(name + GetParam() + ".bin");
  }
};
INSTANTIATE_TEST_SUITE_P(Both, TorchFiles, testing::Values("", "_old"),
                         [](const auto& form) { return form.param.empty() ? "zip" : "old"; });

TEST_P(TorchFiles, HaveTheValuesOfPyTorch) {
  std::ifstream stream(torch_fixture("tensors.json"));
  const nlohmann::json expected = nlohmann::json::parse(stream);
  const auto found = open_torch_file(file("tensors"));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->names().size(), expected.size());
  for (const auto& [name, tensor] : expected.items()) {
    EXPECT_EQ(found->shape(name), tensor["shape"].get<std::vector<int64_t>>()) << name;
    const Tensor values = found->read(name).to(torch::kDouble).reshape(-1);
    const std::vector<double> wanted = tensor["values"];
    ASSERT_EQ(values.numel(), std::ssize(wanted)) << name;
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(values[static_cast<int64_t>(i)].item<double>(), wanted[i]) << name;
  }
}

TEST_P(TorchFiles, RunNothingAndNameWhatTheyRefuse) {
  EXPECT_ERROR(open_torch_file(file("command")), ErrorKind::kModel, "uses posix.system");
  EXPECT_ERROR(open_torch_file(file("module")), ErrorKind::kModel,
               GetParam().empty() ? "uses torch.nn.modules.linear.Linear" : "torch.nn.modules");
  EXPECT_ERROR(open_torch_file(file("object")), ErrorKind::kModel, "epoch: is no tensor");
  EXPECT_FALSE(std::filesystem::exists("executed"));
}

TEST_P(TorchFiles, AreTheParametersOfAModel) {
  const TemporaryFolder folder;
  std::filesystem::copy(file("marian"), folder / "pytorch_model.bin");
  WeightsFile weights(folder.path());
  const NamedTensors expected = read_safetensors(exchange_fixture("marian") / "model.safetensors");
  EXPECT_EQ(weights.rest().size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_TRUE(weights.take({name}, tensor.sizes().vec()).equal(tensor)) << name;
  EXPECT_TRUE(weights.rest().empty());
}

// An Error, or tensors of the damaged values: never a crash, nor anything else that is thrown.
void expect_no_crash(const std::filesystem::path& path, const std::string& bytes) {
  write_plainly(path, bytes);
  try {
    const auto file = open_torch_file(path);
    if (file == nullptr) return;
    for (const std::string& name : file->names()) {
      if (file->read(name).numel() < 1000) file->read(name).sum();
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModel) << error.what();
  }
}

TEST_P(TorchFiles, ThatEndEarlyAreErrors) {
  const TemporaryFolder folder;
  const std::string whole = read_plainly(file("tensors"));
  constexpr size_t kMagic = 15;
  for (size_t size = kMagic; size < whole.size(); size += 23) {
    write_plainly(folder / "cut", whole.substr(0, size));
    EXPECT_ERROR(open_torch_file(folder / "cut"), ErrorKind::kModel, "copy it again");
  }
}

void mutate(const std::filesystem::path& path, int count) {
  const TemporaryFolder folder;
  const std::string whole = read_plainly(path);
  std::mt19937 draw(1);
  const auto below = [&draw](size_t most) { return draw() % most; };
  for (int i = 0; i < count; ++i) {
    std::string bytes = whole;
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
      const size_t at = below(bytes.size());
      switch (below(4)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
          break;
        case 2:
          bytes.erase(at, 1 + below(8));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(8)));
      }
    }
    expect_no_crash(folder / "mutated", bytes);
  }
}

TEST_P(TorchFiles, ThatAreDamagedNeverCrash) { mutate(file("tensors"), 200); }

using SlowTorchFiles = TorchFiles;
INSTANTIATE_TEST_SUITE_P(Both, SlowTorchFiles, testing::Values("", "_old"),
                         [](const auto& form) { return form.param.empty() ? "zip" : "old"; });
TEST_P(SlowTorchFiles, ThatAreDamagedNeverCrash) { mutate(file("tensors"), 5000); }

// A pickle with one tensor, whose storage has this key: text, which each tensor of it would copy.
std::string pickle_with_key(const std::string& key) {
  using namespace std::string_literals;
  const auto text = [](const std::string& value) {
    const auto size = static_cast<uint32_t>(value.size());
    std::string bytes = "X";
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(size >> shift & 255U);
    return bytes + value;
  };
  const std::string storage =
      "("s + text("storage") + "ctorch\nFloatStorage\n" + text(key) + text("cpu") + "K\x01tQ";
  return "\x80\x02}"s + text("a") + "ctorch._utils\n_rebuild_tensor_v2\n(" + storage +
         "K\0K\x01\x85K\x01\x85tRs."s;
}

TEST(StateDict, HasShortKeysOfStorages) {
  EXPECT_EQ(read_state_dict(pickle_with_key("0")).tensors.at("a").storage, "0");
  try {
    read_state_dict(pickle_with_key(std::string(200, 'k')));
    FAIL();
  } catch (const PickleError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a: has a storage with too long a key"));
  }
}

TEST(TorchFile, OfAnotherFormIsNone) {
  EXPECT_EQ(open_torch_file(exchange_fixture("marian") / "model.safetensors"), nullptr);
}

// Parameters in several files.
class Shards : public testing::Test {
 protected:
  const NamedTensors tensors_ = {{"a", torch::ones({2})}, {"b", torch::zeros({3})}};
  void index(const std::string& text) {
    write_plainly(folder_ / "model.safetensors.index.json", text);
  }
  void expect_refused(const std::string& part) {
    EXPECT_ERROR(WeightsFile(folder_.path()), ErrorKind::kModel, part);
  }
  TemporaryFolder folder_;
};

TEST_F(Shards, AreReadTogether) {
  write_safetensors(folder_ / "1.safetensors", {{"a", tensors_.at("a")}});
  write_safetensors(folder_ / "2.safetensors", {{"b", tensors_.at("b")}});
  index(R"({"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}})");
  WeightsFile weights(folder_.path());
  for (const auto& [name, tensor] : tensors_)
    EXPECT_TRUE(weights.take({name}, tensor.sizes().vec()).equal(tensor)) << name;
}

TEST_F(Shards, OfTorchAreReadToo) {
  std::filesystem::copy(torch_fixture("marian.bin"), folder_ / "1.bin");
  write_plainly(folder_ / "pytorch_model.bin.index.json",
                R"({"weight_map": {"final_logits_bias": "1.bin"}})");
  EXPECT_TRUE(WeightsFile(folder_.path()).has("final_logits_bias"));
}

TEST_F(Shards, ThatDoNotFitAreRefused) {
  expect_refused("has none of model.safetensors");
  index("[]");
  expect_refused("expected a weight_map");
  index(R"({"weight_map": {"a": "../1.safetensors"}})");
  expect_refused("expected a file of this folder");
  index(R"({"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}})");
  expect_refused("lists 1.safetensors, which is not there");
  write_safetensors(folder_ / "1.safetensors", tensors_);
  write_safetensors(folder_ / "2.safetensors", tensors_);
  expect_refused("a is in another file too");
}

}  // namespace
}  // namespace heed
