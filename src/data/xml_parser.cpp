#include "data/xml_parser.h"

#if !defined(__EMSCRIPTEN__)  // browsers read no such files

#include <expat.h>

#include <algorithm>
#include <exception>

#include "base/descriptor.h"
#include "base/error.h"

namespace heed {

struct XmlParser::Impl {
  Impl(XmlParser& owner, const std::filesystem::path& file)
      : self(owner), path(file), parser(XML_ParserCreate(nullptr), &XML_ParserFree) {
    if (!parser) throw std::bad_alloc();
    XML_SetUserData(parser.get(), this);
    XML_SetElementHandler(parser.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser.get(), on_text);
    XML_SetEntityDeclHandler(parser.get(), on_entity);
    XML_SetSkippedEntityHandler(parser.get(), on_skipped_entity);
  }

  // Functions that expat calls. Exceptions must not pass through it.
  static Impl& impl_of(void* data) { return *static_cast<Impl*>(data); }
  static void on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
    impl_of(data).guarded([&](Impl& impl) { impl.start(name, attributes); });
  }
  static void on_end(void* data, const XML_Char* name) {
    impl_of(data).guarded([&](Impl& impl) {
      impl.self.end(name);
      --impl.depth;
    });
  }
  static void on_text(void* data, const XML_Char* text, int size) {
    impl_of(data).guarded([&](Impl& impl) { impl.self.text({text, static_cast<size_t>(size)}); });
  }
  static void on_entity(void* data, const XML_Char* name, int, const XML_Char*, int,
                        const XML_Char*, const XML_Char*, const XML_Char*, const XML_Char*) {
    impl_of(data).guarded([&](Impl& impl) {
      impl.refuse(
          fmt::format("the entity '{}' is declared, which is not supported; replace it by its "
                      "text",
                      name));
    });
  }
  static void on_skipped_entity(void* data, const XML_Char* name, int) {
    impl_of(data).guarded([&](Impl& impl) {
      impl.refuse(
          fmt::format("the entity '{}' is unknown, because DTDs are not read; replace it by "
                      "its text",
                      name));
    });
  }
  template <class Action>
  void guarded(Action action) try {
    if (!error && !is_stopped) action(*this);
  } catch (...) {
    error = std::current_exception();
    XML_StopParser(parser.get(), XML_FALSE);
  }

  void start(const XML_Char* name, const XML_Char** attributes) {
    constexpr int kDeepest = 100;
    if (++depth > kDeepest)
      refuse(fmt::format("elements are nested more than {} deep; correct the file", kDeepest));
    self.begin(name, attributes);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw_error(ErrorKind::kData, "{}:{}:{}: {}", input_name(path),
                XML_GetCurrentLineNumber(parser.get()),
                XML_GetCurrentColumnNumber(parser.get()) + 1, what);
  }

  [[noreturn]] void refuse_xml(XML_Error code) const {
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (code == XML_ERROR_UNKNOWN_ENCODING)
      refuse(
          "unknown encoding, expected UTF-8, UTF-16 or ISO-8859-1; convert the file by iconv, and "
          "correct the encoding in its first line");
    refuse(fmt::format("is not well-formed XML ({}); correct the file, or export it again",
                       XML_ErrorString(code)));
  }

  XmlParser& self;
  const std::filesystem::path path;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser;
  std::exception_ptr error;
  bool is_stopped = false;
  int depth = 0;
  uint64_t given = 0;  // bytes
};

XmlParser::XmlParser(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>(*this, path)) {}

XmlParser::~XmlParser() = default;

bool XmlParser::parse(std::string_view bytes) {
  const auto size = static_cast<int>(bytes.size());
  const XML_Status status = XML_Parse(impl_->parser.get(), bytes.data(), size, bytes.empty());
  if (impl_->error) std::rethrow_exception(impl_->error);
  if (impl_->is_stopped) return false;
  if (status != XML_STATUS_OK) impl_->refuse_xml(XML_GetErrorCode(impl_->parser.get()));
  impl_->given += bytes.size();
  return true;
}

uint64_t XmlParser::pending() const {
  const XML_Index parsed = XML_GetCurrentByteIndex(impl_->parser.get());
  return impl_->given - static_cast<uint64_t>(std::max<XML_Index>(0, parsed));
}

void XmlParser::refuse(const std::string& what) const { impl_->refuse(what); }

int XmlParser::depth() const { return impl_->depth; }

void XmlParser::stop() {
  impl_->is_stopped = true;
  XML_StopParser(impl_->parser.get(), XML_FALSE);
}

std::string language_attribute(const char** attributes) {
  std::string language;
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view name = attributes[0];
    if (name == "xml:lang") return attributes[1];
    if (name == "lang") language = attributes[1];  // TMX 1.1
  }
  return language;
}

}  // namespace heed

#endif
