#include "text/characters.h"

#include "base/utf8.h"
#include "text/line.h"

namespace heed {

std::vector<std::string> CharacterTokenizer::encode(std::string_view line) const {
  const std::string text = prepare_line(line, lower_);
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  const size_t end = text.find_last_not_of(' ') + 1;
  std::vector<std::string> pieces;
  for (const std::string_view point :
       code_points(std::string_view(text).substr(begin, end - begin)))
    pieces.emplace_back(point == " " ? kSpaceSign : point);
  return pieces;
}

std::string CharacterTokenizer::decode(const std::vector<std::string>& pieces) const {
  std::string text;
  for (const std::string& piece : pieces) text += text_of(piece);
  return text;
}

std::string CharacterTokenizer::text_of(std::string_view piece) const {
  return piece == kSpaceSign ? " " : std::string(piece);
}

void CharactersConfig::own_fields(Fields& f) {
  f.section("vocabulary", vocabulary, "character vocabulary");
}

std::shared_ptr<Tokenizer> CharactersConfig::make(const LineSource&, uint64_t) const {
  return std::make_shared<CharacterTokenizer>(lower);
}

std::shared_ptr<Tokenizer> CharactersConfig::load(const std::filesystem::path&,
                                                  const std::string&) const {
  return make({}, 0);
}

}  // namespace heed
