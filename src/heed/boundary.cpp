#include "heed/boundary.h"

namespace heed {

namespace v0 {

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(message), kind_(kind) {}
Error::~Error() = default;

}  // namespace v0

void rethrow_as_public() {
  try {
    throw;
  } catch (const v0::Error&) {
    throw;
  } catch (const Error& error) {
    throw v0::Error(static_cast<v0::ErrorKind>(error.kind()), error.what());
  } catch (const InternalError& error) {
    throw v0::Error(v0::ErrorKind::kFailure,
                    std::string("this is a bug in heed, please report it: ") + error.what());
  } catch (const std::bad_alloc&) {
    throw v0::Error(v0::ErrorKind::kFailure, "out of memory; a smaller input needs less");
  } catch (const std::filesystem::filesystem_error& error) {
    throw v0::Error(v0::ErrorKind::kIo,
                    error.path1().string() + ": cannot be used: " + error.code().message());
  } catch (const std::exception& error) {
    throw v0::Error(v0::ErrorKind::kFailure,
                    std::string("unexpected error, please report it: ") + error.what());
  }
}

}  // namespace heed
