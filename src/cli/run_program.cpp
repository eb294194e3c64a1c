#include "cli/run_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/address_space.h"
#include "base/error_lines.h"
#include "base/log.h"
#include "base/printable.h"
#include "cli/command_line.h"
#include "kernels/kernels.h"

// MKL, inside libtorch, calls this function before it chooses its kernels, and takes slower ones if
// the processor is not Intel's. The program exports it, so this definition takes precedence over
// MKL's. Matrix products run twice as fast on AMD processors with AVX-512; nothing changes on Intel
// processors.
extern "C" int mkl_serv_intel_cpu_true() { return 1; }

namespace heed {

namespace {

int fail(const std::vector<std::string>& lines, int exit_code) {
  end_progress();
  const bool colored = colour_allowed(2);
  std::string before = colored ? "\x1b[31mheed:\x1b[0m " : "heed: ";
  for (const std::string& line : lines) {
    std::fprintf(stderr, "%s%s\n", before.c_str(), printable(line).c_str());
    before.clear();
  }
  return exit_code;
}

int fail(const std::string& line, int exit_code) { return fail(std::vector{line}, exit_code); }

constexpr int kFailed = static_cast<int>(ErrorKind::kFailure);
// Built by the first call: later there may be no memory for it.
const std::string& out_of_memory() {
  static const std::string message =
      "out of memory; a smaller input needs less" + address_space_advice();
  return message;
}

// Allocates no memory.
[[noreturn]] void end_out_of_memory() {
  for (const std::string_view part :
       {std::string_view("heed: "), std::string_view(out_of_memory()), std::string_view("\n")}) {
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) break;
  }
  _exit(kFailed);
}

// Ends the program after an exception that nothing catches, from a thread or from a library that is
// loaded. Exhausted memory is reported as such, not as a bug.
[[noreturn]] void end_by_exception() {
  if (const std::exception_ptr exception = std::current_exception()) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
      end_out_of_memory();
    } catch (const std::exception& error) {
      fail(std::string("unexpected error, please report it: ") + error.what(), kFailed);
    } catch (...) {
      fail("unexpected error, please report it", kFailed);
    }
  }
  std::abort();
}

// Reports a system error that no part of the program has turned into an Error.
int fail(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again)
    return fail(std::string("the system refuses: ") + error.what(), kFailed);
  return fail(
      "no thread could be started, as memory or `ulimit -u` does not allow more; fewer "
      "workers need less" +
          address_space_advice(),
      kFailed);
}

int fail(const std::filesystem::filesystem_error& error) {
  if (error.path1().empty() && error.code() == std::errc::invalid_argument)
    return fail("the name of a file or folder is empty; name one",
                static_cast<int>(ErrorKind::kUsage));
  const std::string path = error.path1().empty() ? "" : error.path1().string() + ": ";
  return fail(path + "cannot be used: " + error.code().message(), static_cast<int>(ErrorKind::kIo));
}

// Replaces closed standard streams by /dev/null. Otherwise the next file that is opened would get
// their number, and log messages would go there. A closed standard input is opened for writing and
// a closed standard output for reading, so that using them is an error.
void open_standard_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (fcntl(stream, F_GETFD) < 0)
      open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

// Refuses an unknown HEED_INSTRUCTIONS: results of another instruction set than the requested one
// would go unnoticed.
void check_instructions() {
  const std::string known = instead_of_instructions();
  if (known.empty()) return;
  throw_error(ErrorKind::kUsage,
              "HEED_INSTRUCTIONS is '{}' in the environment; expected is one of the instruction "
              "sets of this processor: {}",
              std::getenv("HEED_INSTRUCTIONS"), known);
}

}  // namespace

int run_program(int argc, char** argv) {
  // Writing beyond the limit on file sizes is an error like a full disk; it must not end the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  out_of_memory();
  std::set_terminate(end_by_exception);
  open_standard_streams();
  try {
    check_instructions();
    return run_command_line(argc, argv);
  } catch (const ErrorLines& error) {
    return fail(error.lines(), error.exit_code());
  } catch (const Error& error) {
    return fail(error.what(), error.exit_code());
  } catch (const InternalError& error) {
    return fail(std::string("this is a bug in heed, please report it: ") + error.what(), 1);
  } catch (const std::bad_alloc&) {
    return fail(out_of_memory(), kFailed);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(error);
  } catch (const std::system_error& error) {
    return fail(error);
  } catch (const std::exception& error) {
    return fail(std::string("unexpected error, please report it: ") + error.what(), 1);
  }
}

}  // namespace heed
