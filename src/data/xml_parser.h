// Elements and text of an XML file, by Expat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

// A derived class receives the elements and the text between them.
class XmlParser {
 public:
  // path: for messages.
  explicit XmlParser(const std::filesystem::path& path);
  virtual ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  // Takes the next bytes; none: the file ends. Returns false once stop() was called. Throws what the
  // functions below throw, and Error(kData) with line and column for XML that is not well-formed,
  // elements that are nested too deeply, and entities that are declared or unknown. External DTDs are
  // not read.
  bool parse(std::string_view bytes);
  // Bytes that were taken and are not parsed, of an unfinished tag or comment.
  uint64_t pending() const;
  // Throws Error(kData) with the place.
  [[noreturn]] void refuse(const std::string& what) const;

 protected:
  // Pairs of name and value, and nullptr behind the last.
  using Attributes = const char**;
  virtual void begin(std::string_view name, Attributes attributes) = 0;
  virtual void end(std::string_view /*name*/) {}
  virtual void text(std::string_view /*text*/) {}
  int depth() const;  // of the element that begins or ends, from 1
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Value of xml:lang, or of lang, which older formats have; "": there is none.
std::string language_attribute(const char** attributes);

}  // namespace heed
