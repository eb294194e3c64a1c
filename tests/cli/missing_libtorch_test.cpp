// The program where libtorch, or the library that needs it, is not installed.
#include <gmock/gmock.h>

#include <regex>

#include "cli/http_client.h"
#include "cli/toy_corpus.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A copy of the program, which the tests start as long as it lives.
class CopiedProgram {
 public:
  CopiedProgram() : before_(program_path()) {
    fs::create_directories(folder_ / "bin");
    fs::create_directories(folder_ / "lib");
    fs::copy_file(before_, folder_ / "bin/heed");
    setenv("HEED_PROGRAM", (folder_ / "bin/heed").c_str(), 1);
  }
  ~CopiedProgram() { setenv("HEED_PROGRAM", before_.c_str(), 1); }
  CopiedProgram(const CopiedProgram&) = delete;
  CopiedProgram& operator=(const CopiedProgram&) = delete;

  // The library with tensors, made to need one that nobody has.
  void add_library_without_libtorch() const {
    std::string bytes = read_plainly(fs::path(before_).parent_path() / "../lib/libheed_tensors.so");
    const std::string needed = "libtorch_cpu.so";
    for (size_t at; (at = bytes.find(needed)) != std::string::npos;)
      bytes.replace(at, needed.size(), "libtorch_nil.so");
    write_plainly(folder_ / "lib/libheed_tensors.so", bytes);
  }

  Outcome run(const Arguments& arguments) const {
    return run_heed(arguments, {.folder = folder_.path(), .anew = true});
  }
  fs::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  std::string before_;
  TemporaryFolder folder_;
};

TEST(MissingLibtorch, TheLibraryThatNeedsItIsNamed) {
  const CopiedProgram program;
  EXPECT_FAILS(program.run({"train", "x.yaml"}), 5,
               "this command needs libheed_tensors.so, which is not in ");
  EXPECT_FAILS(program.run({"average", "x", "-o", "y"}), 5, "install the package heed-tensors");
  EXPECT_FAILS(program.run({"trim", "x", "--keep", "z", "-o", "y"}), 5,
               "install the package heed-tensors");
}

TEST(MissingLibtorch, TheCommandThatInstallsItIsNamed) {
  SKIP_WITHOUT_TENSORS();
  const CopiedProgram program;
  program.add_library_without_libtorch();
  EXPECT_FAILS(program.run({"train", "x.yaml"}), 5, "libtorch_nil.so is not in ");
  EXPECT_FAILS(program.run({"average", "x", "-o", "y"}), 5,
               "`pip install --no-deps --index-url https://download.pytorch.org/whl/cpu --target " +
                   (fs::weakly_canonical(program / "lib") / "heed").string() + " torch==");
}

// Mistakes that the user has to correct first are named first.
TEST(MissingLibtorch, HidesNoOtherMistake) {
  const CopiedProgram program;
  write_plainly(program / "text", "a b\n");
  EXPECT_FAILS(program.run({"translate", "text", "text"}), 4, "text is a file, not a model");
  EXPECT_FAILS(program.run({"translate", "nowhere", "text"}), 4, "nowhere: there is no such");
  EXPECT_FAILS(program.run({"translate", "text", "--device", "gpu"}), 2,
               "device 'gpu': expected auto, cpu or cuda:N");
  EXPECT_FAILS(program.run({"translate", "text", "--device", "cuda:0"}), 4, "is a file, not");
}

TEST(MissingLibtorch, ConfigsAreCheckedWithoutIt) {
  const CopiedProgram program;
  write_plainly(program / "train.src", toy_lines(1, 100));
  write_plainly(program / "train.tgt", toy_lines(3, 100));
  write_plainly(program / "toy.yaml",
                "run: run\n"
                "data: {train: [{source: train.src, target: train.tgt}]}\n"
                "text: {source: words, target: words}\n"
                "train: {max_updates: 1, workers: 1}\n");
  EXPECT_EQ(program.run({"config", "check", "toy.yaml"}).exit_code, 0);
  EXPECT_FAILS(program.run({"config", "check", "toy.yaml", "--set", "train.freeze=[encoder]"}), 5,
               "the check of this config needs libheed_tensors.so, which is not in ");
}

TEST(MissingLibtorch, WhatNeedsItIsNamed) {
  SKIP_WITHOUT_TENSORS();
  const std::string model = (ToyWorkshop::trained() / "runs/toy").string();
  const CopiedProgram program;
  const Outcome ensemble = program.run({"translate", model, model, "--device", "cpu"});
  EXPECT_EQ(ensemble.exit_code, 0) << ensemble.err;
  EXPECT_FAILS(program.run({"translate", model, "--device", "cuda"}), 5, "device cuda needs ");
}

TEST(MissingLibtorch, TheServerDrawsNoMaps) {
  SKIP_WITHOUT_TENSORS();
  const std::string model = (ToyWorkshop::trained() / "runs/toy").string();
  const CopiedProgram program;
  Running server({"serve", model, "--port", "0", "--device", "cpu"}, {.anew = true});
  std::smatch found;
  std::string log;
  const std::regex address("http://127.0.0.1:(\\d+)/");
  while (!std::regex_search(log = server.err(), found, address) && !server.has_ended())
    usleep(2000);
  ASSERT_FALSE(found.empty()) << log;
  const auto post = [&](const std::string& path) {
    const Connection connection(static_cast<uint16_t>(std::stoi(found[1])));
    connection.send(http_request("POST", path, R"({"text":"a b"})"));
    return parse_answer(connection.receive());
  };
  const HttpAnswer answer = post("/attention");
  EXPECT_EQ(answer.status, 501);
  EXPECT_THAT(answer.body, HasSubstr("this server has no libtorch"));
  EXPECT_THAT(answer.body, Not(HasSubstr(".so")));
  EXPECT_EQ(post("/translate").status, 200);
  server.send(SIGTERM);
  const Outcome outcome = server.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: /attention: status 501: a request for attention "
                                     "maps needs libheed_tensors.so, which is not in"));
}

}  // namespace
}  // namespace heed
