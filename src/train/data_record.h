// The training and validation files of a run, by size and content. Each checkpoint keeps the record
// (data.json), so that a resumed run notices other data.
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

// Reads every file of the corpora and these of the text; pipes, which can be read but once, are
// left out. The cache may know what they hold. Throws Error(kIo).
DataRecord record_data(const std::vector<CorpusFiles>& corpora,
                       const std::vector<std::filesystem::path>& text, DataCache& cache);

// Differences, a phrase for each file: "a.en (210 bytes, was 200)"; in the order of the paths.
struct DataChanges {
  std::vector<std::string> data;  // which a resumed run reads
  std::vector<std::string> text;  // vocabularies and tokenizer models, which it has from before
  std::vector<std::string> all() const;
};
// text: the files that the section `text` names; those that `before` lacks are no difference, because
// earlier versions did not record them. A file with the same name and content in another folder was
// moved, which is none either.
DataChanges changed_data(DataRecord before, DataRecord now,
                         const std::vector<std::filesystem::path>& text);

std::string to_json(const DataRecord& record);
// Throws Error(kModel) that begins with `where`.
DataRecord data_record_from_json(const std::string& text, const std::string& where);

}  // namespace heed
