#include "translate/translation_outputs.h"

namespace heed {

namespace {

class FilesAtTheEnd final : public TranslationOutputs {
 public:
  explicit FilesAtTheEnd(const std::vector<NamedFile>& files) {
    for (const NamedFile& file : files) files_.push_back(std::make_unique<AtomicFile>(file.path));
  }
  void write(const std::vector<std::string>& texts) override {
    for (size_t i = 0; i < files_.size(); ++i) files_[i]->write(texts.at(i));
  }
  void flush() override { files_.front()->flush(); }
  void commit() override {
    std::vector<AtomicFile*> files;
    for (const auto& file : files_) files.push_back(file.get());
    commit_all(files);
  }

 private:
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

class ListOfLines final : public TranslationOutputs {
 public:
  explicit ListOfLines(std::vector<std::string>& lines) : lines_(lines) {}
  void write(const std::vector<std::string>& texts) override {
    lines_.push_back(texts.front());
    if (lines_.back().ends_with('\n')) lines_.back().pop_back();
  }
  void commit() override {}

 private:
  std::vector<std::string>& lines_;
};

}  // namespace

std::unique_ptr<TranslationOutputs> files_at_the_end(const std::vector<NamedFile>& files) {
  return std::make_unique<FilesAtTheEnd>(files);
}

std::unique_ptr<TranslationOutputs> list_of_lines(std::vector<std::string>& lines) {
  return std::make_unique<ListOfLines>(lines);
}

}  // namespace heed
