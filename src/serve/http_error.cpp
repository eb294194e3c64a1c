#include "serve/http_error.h"

#include <new>

#include "base/error.h"

namespace heed {

namespace {

HttpStatus status_of(ErrorKind kind) {
  return kind == ErrorKind::kData || kind == ErrorKind::kUsage ? HttpStatus::kUnprocessable
                                                               : HttpStatus::kInternal;
}

}  // namespace

HttpError current_http_error() {
  try {
    throw;
  } catch (const HttpError& error) {
    return error;
  } catch (const Error& error) {
    return {status_of(error.kind()), error.what()};
  } catch (const std::bad_alloc&) {
    return {HttpStatus::kInternal, "out of memory; send shorter texts or a smaller beam"};
  } catch (const std::exception& error) {
    return {HttpStatus::kInternal, error.what()};
  }
}

}  // namespace heed
