#include "data/pair_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"

namespace heed {

namespace {

bool replace_tabs(std::string& text) {
  const bool found = text.find('\t') != std::string::npos;
  std::ranges::replace(text, '\t', ' ');
  return found;
}

bool replace_last_return(std::string& text) {
  if (!text.ends_with('\r')) return false;
  text.back() = ' ';
  return true;
}

class TextWriter final : public PairWriter {
 public:
  TextWriter(const std::string& source, const std::string& target)
      : source_(source), target_(target) {}
  bool write(std::string source, std::string target) override {
    const bool changed = replace_last_return(source) | replace_last_return(target);
    source_.write(source + "\n");
    target_.write(target + "\n");
    return changed;
  }
  void commit() override { commit_all({&source_, &target_}); }

 private:
  AtomicFile source_, target_;
};

class TsvWriter final : public PairWriter {
 public:
  explicit TsvWriter(const std::string& path) : file_(path) {}
  bool write(std::string source, std::string target) override {
    const bool changed = replace_tabs(source) | replace_tabs(target) | replace_last_return(target);
    file_.write(source + "\t" + target + "\n");
    return changed;
  }
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
};

class JsonLinesWriter final : public PairWriter {
 public:
  JsonLinesWriter(const std::string& path, SideNames names)
      : file_(path), names_(std::move(names)) {}
  bool write(std::string source, std::string target) override {
    const nlohmann::ordered_json pair{{names_.source, source}, {names_.target, target}};
    file_.write(json_text(pair) + "\n");
    return false;
  }
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
  SideNames names_;
};

// Text in XML. Sets `changed` if a character that XML cannot hold has become a space.
std::string xml_text(const std::string& text, bool& changed) {
  std::string xml;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = std::string_view(text).substr(i);
    if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else if (c == '>') {
      xml += "&gt;";
    } else if (c == '\r') {
      xml += "&#13;";  // a CR alone is read as a line feed
    } else if (c >= 0 && c < ' ' && c != '\t') {
      xml += ' ', changed = true;
    } else if (rest.starts_with("\uFFFE") || rest.starts_with("\uFFFF")) {
      xml += ' ', changed = true, i += 2;
    } else {
      xml += c;
    }
  }
  return xml;
}

class TmxWriter final : public PairWriter {
 public:
  TmxWriter(const std::string& path, SideNames names) : file_(path), names_(std::move(names)) {
    file_.write(
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\">\n<header "
                    "creationtool=\"heed\" creationtoolversion=\"{}\" segtype=\"sentence\" "
                    "o-tmf=\"plain text\" "
                    "adminlang=\"en\" srclang=\"{}\" datatype=\"plaintext\"/>\n<body>\n",
                    HEED_VERSION, names_.source));
  }
  bool write(std::string source, std::string target) override {
    bool changed = false;
    file_.write("<tu>");
    for (const auto& [language, text] :
         {std::pair(&names_.source, &source), std::pair(&names_.target, &target)})
      file_.write(fmt::format("<tuv xml:lang=\"{}\"><seg>{}</seg></tuv>", *language,
                              xml_text(*text, changed)));
    file_.write("</tu>\n");
    return changed;
  }
  void commit() override {
    file_.write("</body>\n</tmx>\n");
    file_.commit();
  }

 private:
  AtomicFile file_;
  SideNames names_;
};

}  // namespace

std::unique_ptr<PairWriter> make_pair_writer(PairForm form, const std::vector<std::string>& paths,
                                             const SideNames& names) {
  switch (form) {
    case PairForm::kText:
      return std::make_unique<TextWriter>(paths.at(0), paths.at(1));
    case PairForm::kTsv:
      return std::make_unique<TsvWriter>(paths.at(0));
    case PairForm::kJsonLines:
      return std::make_unique<JsonLinesWriter>(paths.at(0), names);
    case PairForm::kTmx:
      return std::make_unique<TmxWriter>(paths.at(0), names);
  }
  HEED_CHECK(false);
}

}  // namespace heed
