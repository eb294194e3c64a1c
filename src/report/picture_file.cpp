#include "report/picture_file.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace heed {

namespace {

// A file in memory, for the input and the output of a program.
class MemoryFile {
 public:
  MemoryFile() : number_(memfd_create("picture", MFD_CLOEXEC)) {
    if (number_ < 0) throw_error(ErrorKind::kIo, "cannot create a file in memory");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(number_); }
  int number() const { return number_; }

  void write(const std::string& text) const {
    for (size_t done = 0; done < text.size();) {
      const ssize_t count = ::write(number_, text.data() + done, text.size() - done);
      if (count < 0) throw_error(ErrorKind::kIo, "cannot write a file in memory");
      done += static_cast<size_t>(count);
    }
    lseek(number_, 0, SEEK_SET);
  }
  std::string read() const {
    std::string text(static_cast<size_t>(lseek(number_, 0, SEEK_END)), '\0');
    lseek(number_, 0, SEEK_SET);
    size_t done = 0;
    for (ssize_t count = 1; count > 0 && done < text.size();
         done += static_cast<size_t>(std::max<ssize_t>(count, 0)))
      count = ::read(number_, text.data() + done, text.size() - done);
    text.resize(done);
    return text;
  }

 private:
  int number_;
};

// Exit code of the program, or -1 if it cannot be started.
int run_program(std::vector<std::string> words, const MemoryFile& in, const MemoryFile& out) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.number(), STDOUT_FILENO);
  pid_t process = -1;
  const int error =
      posix_spawnp(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  if (waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

std::string ending_of(const std::string& path) {
  const size_t slash = path.find_last_of('/') + 1;  // 0 where there is none
  const size_t point = path.find_last_of('.');
  if (point == std::string::npos || point < slash) return "";
  std::string ending = path.substr(point + 1);
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return ending;
}

std::string convert_svg(const std::string& svg, const std::string& format,
                        const std::string& path) {
  const MemoryFile in, out;
  in.write(svg);
  const int code = run_program({"rsvg-convert", "--format", format, "--zoom", "2"}, in, out);
  constexpr int kNotFound = 127;
  if (code == -1 || code == kNotFound) {
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
