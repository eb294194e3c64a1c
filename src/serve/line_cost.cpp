#include "serve/line_cost.h"

#include "base/utf8.h"

namespace heed {

namespace {

int64_t characters_in(const std::vector<std::string>& texts) {
  int64_t sum = 0;
  for (const std::string& text : texts) sum += static_cast<int64_t>(count_code_points(text));
  return sum;
}

int64_t longest_of(const SearchConfig& search, int64_t source_tokens, int64_t prefix) {
  return std::max({search.max_length(source_tokens), search.min_length,
                   prefix + std::max<int64_t>(search.min_new_tokens, 1)});
}

int64_t longest_source(const Request& request) {
  int64_t longest = 0;
  for (const Ids& source : request.source.sources) longest = std::max(longest, std::ssize(source));
  return longest + 1;  // kEnd
}

int64_t longest_target(const Request& request) {
  int64_t longest = longest_of(request.config, longest_source(request), std::ssize(request.prefix));
  for (const RequiredPhrase& phrase : request.phrases) longest += phrase.longest();
  return longest + 1;
}

}  // namespace

double work_of(const QueuedLine& line) {
  // Constraints are checked for each hypothesis and token: this many characters of phrases, times the
  // tokens before, take as long as the network.
  constexpr double kPhrases = 4096, kAvoided = 512, kSuppressed = 4096;
  const SearchConfig& search = line.how->search;
  const int64_t steps = std::min(line.how->longest_target,
                                 longest_of(search, characters_in(line.line),
                                            static_cast<int64_t>(count_code_points(line.prefix))));
  const auto tokens = static_cast<double>(steps);
  double work = static_cast<double>(search.hypotheses()) * tokens;
  if (line.phrases != nullptr)
    work *= 1 + static_cast<double>(characters_in(line.phrases->phrases)) * tokens / kPhrases +
            static_cast<double>(line.phrases->avoided.size()) / kAvoided;
  return work * (1 + static_cast<double>(search.suppress_tokens.size()) / kSuppressed);
}

LineKind kind_of(const QueuedLine& line, const SearchConfig& usual) {
  constexpr double kUsualTokens = 512, kLongest = 16;
  const double usual_work = static_cast<double>(usual.hypotheses()) * kUsualTokens;
  const double work = work_of(line);
  // Each line of a batch has as many rows as the widest.
  if (work <= usual_work && line.how->search.hypotheses() <= usual.hypotheses())
    return LineKind::kShort;
  return work <= kLongest * usual_work ? LineKind::kLong : LineKind::kVeryLong;
}

double memory_part(LineKind kind) {
  constexpr std::array kParts = {1.0, 0.75, 0.5};
  return kParts[static_cast<size_t>(kind)];
}

int64_t bytes_of(const Request& request, const DecodingBytes& bytes) {
  // A node of the tree of hypotheses; a weight there, and in a translation as number, JSON and text.
  constexpr int64_t kNode = 64, kWeight = 4, kWrittenWeight = 32, kWrittenToken = 256;
  const int64_t source = longest_source(request), target = longest_target(request);
  const int64_t hypotheses = request.config.hypotheses(), nbest = request.config.nbest;
  int64_t sum = source * bytes.source_token + hypotheses * target * (bytes.target_token + kNode) +
                nbest * target * kWrittenToken;
  if (request.attention) sum += source * target * (hypotheses * kWeight + nbest * kWrittenWeight);
  return sum;
}

int64_t weights_of(const Request& request) {
  return longest_source(request) * longest_target(request) * request.config.nbest;
}

}  // namespace heed
