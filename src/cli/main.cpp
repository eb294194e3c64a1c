// The only place that catches errors and ends the process.
#include <fcntl.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "cli/command_line.h"

// MKL, inside libtorch, asks this before it chooses its kernels, and takes the slower ones where
// the processor is not Intel's. Exported by the program, this answer is found before MKL's own.
// Matrix products run twice as fast on AMD processors with AVX-512; on Intel's nothing changes.
extern "C" int mkl_serv_intel_cpu_true() { return 1; }

namespace {

int fail(std::string_view message, int exit_code) {
  heed::end_progress();
  std::fprintf(stderr, "heed: %.*s\n", static_cast<int>(message.size()), message.data());
  return exit_code;
}

// A standard stream that is closed would give its number to the next file that is opened, and what is
// logged would go there.
void open_standard_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  try {
    return heed::run_command_line(argc, argv);
  } catch (const heed::Error& error) {
    return fail(error.what(), error.exit_code());
  } catch (const heed::InternalError& error) {
    return fail(std::string("this is a bug in heed, please report it: ") + error.what(), 1);
  } catch (const std::bad_alloc&) {
    return fail("out of memory; smaller batches (train.batch, --batch) need less", 1);
  } catch (const std::exception& error) {
    return fail(std::string("unexpected error, please report it: ") + error.what(), 1);
  }
}
