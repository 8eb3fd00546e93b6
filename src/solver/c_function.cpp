// SPDX-License-Identifier: BSD-3-Clause
// Functions of C that say what vectors they take: a list, and the check.
#include "c_function.hpp"

#include <mutex>

namespace tessera {

namespace {

// Libraries may be opened and closed by any thread.
constinit std::mutex guard_of_c_functions;
constinit known_c_function* first_c_function = nullptr;

const char* type_words(tessera_type type) {
  return type == TESSERA_F32 ? "TESSERA_F32" : type == TESSERA_F64 ? "TESSERA_F64" : "another type";
}

}  // namespace

known_c_function::known_c_function(any_function f, facts_of of) : function_(f), of_(of) {
  const std::lock_guard<std::mutex> lock(guard_of_c_functions);
  next_ = first_c_function;
  first_c_function = this;
}

known_c_function::~known_c_function() {
  const std::lock_guard<std::mutex> lock(guard_of_c_functions);
  known_c_function** at = &first_c_function;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

known_c_function::facts_of known_c_function::find(any_function f) {
  const std::lock_guard<std::mutex> lock(guard_of_c_functions);
  for (const known_c_function* k = first_c_function; k != nullptr; k = k->next_)
    if (k->function_ == f) return k->of_;
  return nullptr;
}

void detail::check_facts(const std::string& function, known_c_function::facts_of facts, const void* context,
                         const c_operator_facts& given) {
  if (context == nullptr) throw error(function + " has a null context", status::null_pointer);
  const c_operator_facts is = facts(context);
  if (is.size != is.trial_size)
    throw error(function + ": y of its operator has " + std::to_string(is.size) + " numbers, x " +
                    std::to_string(is.trial_size),
                status::shape_mismatch);
  if (is.size != given.size)
    throw error(function + ": its operator has " + std::to_string(is.size) + " numbers, the vectors " +
                    std::to_string(given.size),
                status::shape_mismatch);
  if (is.type != given.type)
    throw error(
        function + ": its operator is of type " + type_words(is.type) + ", the vectors of " + type_words(given.type),
        status::wrong_type);
  if (is.space != given.space)
    throw error(function + ": its operator is in the memory of a " + name_of(is.space) + ", the vectors of a " +
                    name_of(given.space),
                status::wrong_space);
}

}  // namespace tessera
