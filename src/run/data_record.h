// Training and validation files of a run, with size and content. Each checkpoint keeps the record
// (data.json), so that a resumed run detects changed data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/corpus_files.h"
#include "data/data_cache.h"

namespace heed {

struct DataFile {
  uint64_t size = 0;  // bytes
  std::string hash;   // hash_file()
  bool operator==(const DataFile&) const = default;
};
using DataRecord = std::map<std::string, DataFile>;  // by path

// Reads every file of the corpora and the files in `text`. Pipes are skipped, because they can be
// read only once. The cache may already contain the hashes. Throws Error(kIo).
DataRecord record_data(const std::vector<CorpusFiles>& corpora,
                       const std::vector<std::filesystem::path>& text, DataCache& cache);

// Differences, a phrase for each file: "a.en (210 bytes, was 200)"; in the order of the paths.
struct DataChanges {
  std::vector<std::string> data;  // read by a resumed run
  std::vector<std::string> text;  // vocabularies and tokenizer models, kept in the checkpoint
  std::vector<std::string> all() const;
};
// text: files named by the section `text`. Those that are missing in `before` are not differences,
// because earlier versions did not record them. A file with the same name and content in another
// folder was moved, which is not a difference either.
DataChanges changed_data(DataRecord before, DataRecord now,
                         const std::vector<std::filesystem::path>& text);

std::string to_json(const DataRecord& record);
// Throws Error(kModel) that begins with `where`.
DataRecord data_record_from_json(const std::string& text, const std::string& where);

}  // namespace heed
