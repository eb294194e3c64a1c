#include "report/pictures.h"

#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/other_program.h"

namespace heed {

void write_pictures(const std::vector<Picture>& pictures) {
  std::vector<std::unique_ptr<AtomicFile>> files;
  std::vector<AtomicFile*> all;
  for (const Picture& picture : pictures) {
    files.push_back(std::make_unique<AtomicFile>(picture.file));
    files.back()->write(picture.content);
    all.push_back(files.back().get());
  }
  commit_all(all);
}

double pixels_of_png(double width) { return width > 0 ? 1 : 2; }

std::string ending_of(const std::string& path) {
  const size_t slash = path.find_last_of('/') + 1;  // 0 where there is none
  const size_t point = path.find_last_of('.');
  if (point == std::string::npos || point < slash) return "";
  std::string ending = path.substr(point + 1);
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return ending;
}

std::string convert_svg(const std::string& svg, const std::string& format, const std::string& path,
                        double pixels) {
  constexpr double kPoints = 96.0 / 72;  // an inch has 96 units, and 72 points
  const std::string zoom = fmt::format("{}", format == "pdf" ? kPoints : pixels);
  const MemoryFile in, out;
  in.write(svg);
  const int code = run_other_program({"rsvg-convert", "--format", format, "--zoom", zoom}, in, out);
  if (code == kNotStarted) {
    throw_error(ErrorKind::kFailure,
                "{}: PDF and PNG are drawn by rsvg-convert, which is not installed (Debian: apt "
                "install librsvg2-bin); .svg and .html need nothing",
                path);
  }
  const std::string picture = out.read();
  if (code != 0 || picture.empty())
    throw_error(ErrorKind::kFailure, "{}: rsvg-convert failed with exit code {}", path, code);
  return picture;
}

}  // namespace heed
