#include "request/http_error.h"

#include <new>

#include "base/error.h"

namespace heed {

HttpError server_failure(const std::string& reason) {
  return {HttpStatus::kInternal, "the server failed, and its log says why", reason};
}

HttpError current_http_error() {
  try {
    throw;
  } catch (const HttpError& error) {
    return error;
  } catch (const Error& error) {
    const bool is_of_text = error.kind() == ErrorKind::kData || error.kind() == ErrorKind::kUsage;
    if (is_of_text) return {HttpStatus::kUnprocessable, error.what()};
    return server_failure(error.what());
  } catch (const InternalError& error) {
    return server_failure(std::string("this is a bug in heed, please report it: ") + error.what());
  } catch (const std::bad_alloc&) {
    return {HttpStatus::kInternal, "out of memory; send shorter texts or a smaller beam"};
  } catch (const std::exception& error) {
    return server_failure(error.what());
  }
}

}  // namespace heed
