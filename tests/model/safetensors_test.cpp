#include "model/safetensors.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include <cstring>
#include <stdexcept>

#include "base/random.h"
#include "base/safetensors_header.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

// Header that safetensors.torch.save of safetensors 0.8.0 writes for examples().
constexpr std::string_view kHeader =
    R"({"a":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},)"
    R"("wide":{"dtype":"F64","shape":[],"data_offsets":[16,24]},)"
    R"("b":{"dtype":"F32","shape":[2,2],"data_offsets":[24,40]},)"
    R"("none":{"dtype":"F32","shape":[0,4],"data_offsets":[40,40]},)"
    R"("quote\"\n":{"dtype":"F32","shape":[1],"data_offsets":[40,44]},)"
    R"("int":{"dtype":"I32","shape":[1],"data_offsets":[44,48]},)"
    R"("brain":{"dtype":"BF16","shape":[2],"data_offsets":[48,52]},)"
    R"("half":{"dtype":"F16","shape":[1],"data_offsets":[52,54]},)"
    R"("byte":{"dtype":"U8","shape":[2],"data_offsets":[54,56]},)"
    R"("flag":{"dtype":"BOOL","shape":[3],"data_offsets":[56,59]}} )";
constexpr std::string_view kData =
    "0100000000000000feffffffffffffff9a9999999999b93f0000803f0000004000004040000090c00000803f"
    "03000000c03f00c0003807ff010001";

NamedTensors examples() {
  return {{"a", torch::tensor({1, -2}, torch::kLong)},
          {"b", torch::tensor({{1.0F, 2.0F}, {3.0F, -4.5F}})},
          {"brain", torch::tensor({1.5, -2.0}, torch::kBFloat16)},
          {"byte", torch::tensor({7, 255}, torch::kByte)},
          {"flag", torch::tensor({true, false, true})},
          {"half", torch::tensor({0.5}, torch::kHalf)},
          {"int", torch::tensor({3}, torch::kInt)},
          {"none", torch::zeros({0, 4})},
          {"quote\"\n", torch::tensor({1.0F})},
          {"wide", torch::tensor(0.1, torch::kDouble)}};
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

std::string file_of(std::string_view header, std::string_view data) {
  const uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), 8);
  return bytes.append(header).append(data);
}

std::string example_file() { return file_of(kHeader, from_hex(kData)); }

class Safetensors : public testing::Test {
 protected:
  NamedTensors read(std::string_view bytes) {
    write_plainly(folder_ / "x.safetensors", bytes);
    return read_safetensors(folder_ / "x.safetensors");
  }
  void expect_refused(std::string_view header, std::string_view data, std::string_view reason) {
    SCOPED_TRACE(header.substr(0, 200));
    EXPECT_ERROR(read(file_of(header, data)), ErrorKind::kModel, std::string(reason));
  }
  TemporaryFolder folder_;
};

TEST_F(Safetensors, AreTheBytesOfTheFormatsOwnLibrary) {
  write_safetensors(folder_ / "x.safetensors", examples());
  EXPECT_EQ(read_plainly(folder_ / "x.safetensors"), example_file());
}

TEST_F(Safetensors, ComeBackWithTypeShapeAndValues) {
  const NamedTensors found = read(example_file());
  const NamedTensors expected = examples();
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    EXPECT_EQ(found.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(found.at(name).equal(tensor)) << name;
  }
}

TEST_F(Safetensors, OfNoTensorsAreAFileToo) {
  write_safetensors(folder_ / "none", {});
  EXPECT_TRUE(read_safetensors(folder_ / "none").empty());
}

TEST_F(Safetensors, AreWrittenInTheOrderOfTheirIndicesWhateverTheStrides) {
  const Tensor matrix = torch::arange(6.0).reshape({2, 3});
  write_safetensors(folder_ / "x", {{"t", matrix.t()}});
  EXPECT_TRUE(read_safetensors(folder_ / "x").at("t").equal(matrix.t()));
  SafetensorsReader reader(folder_ / "x");
  Tensor into = torch::zeros({2, 3});
  reader.read_into("t", into.t());
  EXPECT_TRUE(into.equal(matrix));
}

TEST_F(Safetensors, TakeAnyOrderAndMetadata) {
  const auto found = read(file_of(
      R"({ "z": {"data_offsets": [0, 1], "shape": [1], "dtype": "U8"}, "__metadata__": {"format":"pt"},
           "a": {"dtype": "U8", "shape": [1, 1], "data_offsets": [1, 2]}} )",
      "\x05\x06"));
  EXPECT_EQ(found.at("z").item<int>(), 5);
  EXPECT_EQ(found.at("a").item<int>(), 6);
}

TEST_F(Safetensors, RefuseEveryTruncationAndWhatTrails) {
  const std::string whole = example_file();
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_ERROR(read(whole.substr(0, size)), ErrorKind::kModel, "safetensors");
  EXPECT_ERROR(read(whole + "x"), ErrorKind::kModel, "59 bytes of data, found 60");
}

// A flipped bit may give another valid header (another name), but never more harm.
TEST(SafetensorsHeader, SurvivesEveryFlippedBit) {
  const std::string whole(kHeader);
  size_t refused = 0;
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    try {
      parse_header(damaged, kData.size() / 2);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 8 * whole.size() * 9 / 10);
}

TEST_F(Safetensors, SurviveEveryFlippedBitOfTheLength) {
  for (size_t bit = 0; bit < 64; ++bit) {
    std::string damaged = example_file();
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_ERROR(read(damaged), ErrorKind::kModel, "safetensors");
  }
}

TEST(SafetensorsHeader, SurvivesRandomBytes) {
  RandomStream random(stream_key(7, "safetensors"));
  for (int trial = 0; trial < 5000; ++trial) {
    std::string header(random.below(60), ' ');
    constexpr std::string_view kAlphabet = R"({}[]",:0123456789-.eE"dtypeshaoffU8F32 \u)";
    for (char& c : header) c = kAlphabet[random.below(kAlphabet.size())];
    EXPECT_THROW(parse_header("{" + header, 1), std::runtime_error);
  }
}

TEST_F(Safetensors, RefuseWhatTheFormatDoesNotHave) {
  const std::string one = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  expect_refused("[]", "", "does not begin with");
  expect_refused("{" + one + "," + one + "}", "1", "given twice");
  expect_refused(R"({"__metadata__":{},"__metadata__":{}})", "", "given twice");
  expect_refused("{" + one + R"(,"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "1",
                 "begins at byte 0 of the data, expected 1");
  expect_refused("{" + one + R"(,"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})", "123",
                 "begins at byte 2 of the data, expected 1");
  expect_refused(R"({"a":{"dtype":"U9","shape":[1],"data_offsets":[0,1]}})", "1", "unknown type");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,1]}})", "1", "need 4 bytes");
  expect_refused(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", "1", "need 2 bytes");
  expect_refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "1", "begin and end");
  expect_refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", "1", "begin and end");
  expect_refused(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", "1", "negative");
  expect_refused(R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", "1", "fraction");
  expect_refused(R"({"a":{"dtype":"U8","shape":[1e99999],"data_offsets":[0,1]}})", "1", "header");
  expect_refused(R"({"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,1]}})", "1",
                 "fraction");
  expect_refused(R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", "",
                 "beyond all bounds");
  expect_refused(R"({"a":{"dtype":"U8","shape":[0,9223372036854775807,4],"data_offsets":[0,0]}})",
                 "", "beyond all bounds");
  expect_refused(R"({"a":{"dtype":"U8","shape":[1]}})", "1", "data_offsets is missing");
  expect_refused(R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "1",
                 "given twice");
  expect_refused(R"({"a":{"kind":"U8"}})", "", "unknown field");
  expect_refused(R"({"a":{"dtype":["U8"]}})", "", "a list");
  expect_refused(R"({"a":{"dtype":{"U8":1}}})", "", "an object");
  expect_refused(R"({"a":{"shape":[[1]]}})", "", "a list");
  expect_refused(R"({"a":{"shape":"1"}})", "", "a string");
  expect_refused(R"({"a":3})", "", "a number");
  expect_refused(R"({"a":null})", "", "null");
  expect_refused(R"({"__metadata__":{"a":1}})", "", "a number");
  expect_refused(R"({"":{}})", "", "no name");
  expect_refused("{" + one + "}{}", "1", "no JSON");
  expect_refused("{" + std::string(100000, '['), "", "JSON");
  expect_refused(R"({"a":)" + std::string(100000, '{'), "", "JSON");
  expect_refused("{\"\xff\":{}}", "", "no JSON");
}

TEST_F(Safetensors, RefuseAHeaderBeyondBounds) {
  std::string bytes = file_of("{}", "");
  const uint64_t length = 100'000'001;
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_ERROR(read(bytes), ErrorKind::kModel, "100 MB");
  const uint64_t huge = ~uint64_t{0};
  std::memcpy(bytes.data(), &huge, 8);
  EXPECT_ERROR(read(bytes), ErrorKind::kModel, "100 MB");
}

TEST_F(Safetensors, RefuseATruthValueThatIsNone) {
  expect_refused(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\x02",
                 "neither 0 nor 1");
}

TEST_F(Safetensors, SayWhatCannotBeOpenedOrWritten) {
  EXPECT_ERROR(read_safetensors(folder_ / "missing"), ErrorKind::kModel, "missing");
  EXPECT_ERROR(read_safetensors(folder_.path()), ErrorKind::kModel, "Is a directory");
  EXPECT_ERROR(write_safetensors(folder_ / "no" / "folder", {}), ErrorKind::kIo, "folder");
  EXPECT_ERROR(write_safetensors("/dev/full", {{"a", torch::zeros({1000000})}}), ErrorKind::kIo,
               "No space left");
}

}  // namespace
}  // namespace heed
