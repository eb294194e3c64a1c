// Pictures that `heed plot` writes.
#pragma once

#include <string>
#include <vector>

namespace heed {

// A picture and the file that it is for.
struct Picture {
  std::string file, content;
};
// All of them or none.
void write_pictures(const std::vector<Picture>& pictures);

}  // namespace heed
