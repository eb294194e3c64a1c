#include "report/pictures.h"

#include <memory>

#include "base/file.h"

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

}  // namespace heed
