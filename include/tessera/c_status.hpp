// SPDX-License-Identifier: BSD-3-Clause
// For C interfaces: turns an exception into a status code and the text of tessera_last_error().
#pragma once

#include <exception>
#include <new>

#include <tessera/tessera.h>
#include <tessera/error.hpp>

namespace tessera {

/// The text of tessera_last_error() in this thread from now on. Returns the code.
tessera_status remember_failure(status code, const char* text) noexcept;
/// The same where a function of C had no host memory left.
tessera_status remember_no_memory(const char* function) noexcept;

/// Runs what a function of C does: TESSERA_OK, or the status of the exception that it threw.
template <class Work>
tessera_status c_status_of(const char* function, Work work) noexcept {
  try {
    work();
    return TESSERA_OK;
  } catch (const error& e) {
    return remember_failure(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return remember_no_memory(function);
  } catch (const std::exception& e) {
    return remember_failure(status::internal, e.what());
  } catch (...) {
    return remember_failure(status::internal, "unknown exception");
  }
}

}  // namespace tessera
