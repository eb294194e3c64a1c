// The program with libtorch open, which forks for each start that a test asks for
// (cli/started_program.h). usage: heed_forking SOCKET
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "cli/run_program.h"
#include "cli/started_program.h"
#include "cli/tensor_library.h"

namespace heed {
namespace {

// Without the destructors of libtorch's static objects, which take ten times as long as a short
// command; the sanitizers look for leaks on the usual way out.
[[noreturn]] void leave(int code) {
#ifdef __SANITIZE_ADDRESS__
  std::exit(code);
#else
  std::fflush(nullptr);
  _exit(code);
#endif
}

[[noreturn]] void become(ProgramStart start) {
  enter(start);
  std::vector<char*> arguments = pointers(start.words);
  leave(run_program(static_cast<int>(start.words.size()), arguments.data()));
}

pid_t forked(const ProgramStart& start, int socket) {
  const pid_t process = fork();
  if (process != 0) return process;
  close(socket);
  become(start);
}

// Until the test closes its end.
void serve(int socket) {
  std::string request(2 * kLargestRequest, '\0');
  for (;;) {
    const ssize_t size = recv(socket, request.data(), request.size(), 0);
    if (size <= 0) return;
    const std::string text = request.substr(0, static_cast<size_t>(size));
    if (text[0] == 's') {
      const pid_t process = forked(unpacked(text), socket);
      send(socket, &process, sizeof(process), 0);
    } else {
      const ProgramEnd end = wait_for(std::stoi(text.substr(1)), text[0] == 'w');
      send(socket, &end, sizeof(end), 0);
    }
  }
}

}  // namespace
}  // namespace heed

int main(int, char** arguments) {
  heed::open_tensor_library("this program");
  heed::serve(std::atoi(arguments[1]));
  return 0;
}
