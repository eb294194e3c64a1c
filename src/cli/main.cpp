// The only place that catches errors and ends the process.
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
  const bool coloured = heed::colour_allowed(2);
  std::fprintf(stderr, "%sheed:%s %.*s\n", coloured ? "\x1b[31m" : "", coloured ? "\x1b[0m" : "",
               static_cast<int>(message.size()), message.data());
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
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
