#include "data/cached_index.h"

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "config/writer.h"
#include "data/content.h"
#include "data/index_file.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

std::string settings_of(const Cleaning& cleaning) {
  DataConfig config;
  config.cleaning = cleaning;
  return write_inline(config);
}

// All that an index depends on: the content of the files, whatever their names, and what is made of
// it.
std::string key_of(const Indexing& all, const std::string& content, const std::string& codecs) {
  const PairEncoder& encoder = all.encoder;
  std::string key = fmt::format(
      "index of heed {}; codecs {}; copied {}, aligned {}, writes {}; {}; {}", HEED_VERSION, codecs,
      encoder.copied ? std::to_string(*encoder.copied) : "none", encoder.aligned,
      static_cast<int>(encoder.writes), settings_of(all.cleaning), content);
  for (const SourceFactor& factor : encoder.factors)
    key += fmt::format("; factor of source {}", factor.source);
  return key;
}

CorpusIndex make_index(const Indexing& all, DataCache& cache, const std::string& content) {
  CorpusIndex index = index_text(all);
  if (content_of(all.text, cache) != content)
    throw_error(ErrorKind::kData, "{}: the text was changed while it was indexed; start again",
                all.text.parts().front().name);
  return index;
}

std::vector<int64_t> vocabularies_of(const PairEncoder& encoder) {
  std::vector<int64_t> sizes;
  for (const auto& codec : encoder.codecs) sizes.push_back(codec->vocabulary().size());
  return sizes;
}

}  // namespace

CorpusIndex cached_index(const Indexing& all, const IndexCache& cache) {
  const auto content = cache.files.has_folder() ? content_of(all.text, cache.files) : std::nullopt;
  if (!content) return index_text(all);
  const std::string key = key_of(all, *content, cache.codecs);
  const fs::path file = cache.files.file(key, "index");
  const auto find = [&] { return find_index(file, key, all.text, vocabularies_of(all.encoder)); };
  if (auto found = find()) {
    spdlog::info("data.cache: the training text is indexed in {}", file.string());
    return std::move(*found);
  }
  write_index(file, key, make_index(all, cache.files, *content));
  auto written = find();
  if (!written)
    throw_error(ErrorKind::kIo,
                "{}: does not hold what was written to it; check the disk, or name another folder "
                "as data.cache",
                file.string());
  spdlog::info("data.cache: wrote {} ({})", file.string(),
               format_bytes(static_cast<double>(written->pairs.bytes())));
  return std::move(*written);
}

}  // namespace heed
