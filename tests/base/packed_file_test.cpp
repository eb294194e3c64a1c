#include "base/packed_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/small_file.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

class PackedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string weights(128, 'w'), scales(16, 's');
    const std::vector<PackedTensor> tensors = {
        {"layer.weight", ElementType::kInt8, {4, 32}, weights},
        {"layer.scales", ElementType::kFloat32, {4}, scales}};
    write_packed_file(path_, tensors, {{"config.yaml", "text: {}\n"}, {"empty", ""}});
  }
  std::string bytes() const { return read_file(path_); }
  std::string refusal(const std::string& content) {
    write_file(other_, content);
    try {
      PackedFile::open(other_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "en-de.heed", other_ = folder_ / "other.heed";
};

TEST_F(PackedFileTest, HasItsTensorsAndFiles) {
  const auto file = PackedFile::open(path_);
  ASSERT_EQ(file->tensors().size(), 2U);
  EXPECT_EQ(file->tensors().at("layer.weight").shape, (std::vector<int64_t>{4, 32}));
  EXPECT_EQ(file->bytes("layer.weight"), std::string(128, 'w'));
  EXPECT_EQ(file->bytes("layer.scales"), std::string(16, 's'));
  EXPECT_EQ(file->file("config.yaml"), "text: {}\n");
  EXPECT_EQ(file->file("empty"), "");
  EXPECT_FALSE(file->file("layer.weight"));
}

TEST_F(PackedFileTest, TensorsBeginWhereACacheLineBegins) {
  const auto file = PackedFile::open(path_);
  for (const char* name : {"layer.weight", "layer.scales"})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(file->bytes(name).data()) % 64, 0U) << name;
}

TEST_F(PackedFileTest, ItsFilesAreReadAsThoseOfAFolder) {
  EXPECT_EQ(read_file(path_ / "config.yaml"), "text: {}\n");
  EXPECT_TRUE(is_there(path_ / "config.yaml"));
  EXPECT_FALSE(is_there(path_ / "source.words"));
  EXPECT_FALSE(is_there(folder_ / "config.yaml"));
  EXPECT_THROW(read_file(path_ / "source.words"), IoError);
}

TEST_F(PackedFileTest, ReplacedFilesAreReadAnew) {
  const auto before = PackedFile::open(path_);
  write_packed_file(path_, {}, {{"config.yaml", "another"}});
  EXPECT_EQ(PackedFile::open(path_)->file("config.yaml"), "another");
  EXPECT_EQ(before->file("config.yaml"), "text: {}\n");
}

TEST_F(PackedFileTest, EachChangedByteIsFound) {
  const std::string whole = bytes();
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_NE(refusal(changed), "") << "byte " << i;
  }
}

TEST_F(PackedFileTest, FilesThatAreCutOffOrContinuedAreRefused) {
  const std::string whole = bytes();
  for (const size_t size : {size_t{0}, size_t{7}, size_t{8}, size_t{40}, size_t{100},
                            whole.size() - 1, whole.size() / 2})
    EXPECT_NE(refusal(whole.substr(0, size)), "") << size;
  EXPECT_NE(refusal(whole + "x"), "");
}

TEST_F(PackedFileTest, OtherFilesAreNone) {
  write_file(other_,
             "a text that is longer than the beginning of a packed model, which has a header");
  EXPECT_FALSE(is_packed_file(other_));
  EXPECT_FALSE(is_packed_file(folder_.path()));
  EXPECT_FALSE(is_packed_file(folder_ / "missing"));
  EXPECT_TRUE(is_packed_file(path_));
}

}  // namespace
}  // namespace heed
