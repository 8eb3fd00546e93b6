// SPDX-License-Identifier: BSD-3-Clause
// General contractions for tessera-tune: tiles to measure, what the model says of them, and compiled kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// A tile and the model's seconds.
struct general_proposal {
  detail::general_tile tile;
  double seconds = 0;
};

struct general_proposals {
  std::vector<general_proposal> tiles;  // cheapest first; drawn ones in the order in which they were drawn
  /// Of all combinations: those that rules leave out; of the others, those that do not fit the GPU, those that the
  /// model rates slow, and the rest. Draws follow no rules: the share of all that fits is estimated, and none is rated.
  double enumerated = 0, by_rules = 0, by_hardware = 0, by_model = 0;
  double tried() const { return enumerated - by_rules; }
  double left() const { return tried() - by_hardware - by_model; }
};

/// The cheapest `count` by the model, each with other numbers of rows, columns and summed entries. `device` is a name
/// as in records; an unknown one counts as an H200.
general_proposals propose_general_tiles(const general_form& form, const detail::general_kind& kind,
                                        std::string_view device, std::size_t count);
/// `count` at random of all that fit.
general_proposals draw_general_tiles(const general_form& form, const detail::general_kind& kind,
                                     std::string_view device, std::size_t count, std::uint64_t seed);

std::string general_tile_text(const detail::general_tile& tile, const general_form& form);
std::string general_form_text(const general_form& form);
std::string general_kind_text(const detail::general_kind& kind);
/// The kind by what plans multiply with on GPUs that have every instruction: detail::kind_on.
detail::general_kind general_kind_of_plans(const detail::general_kind& kind, const general_form& form);
/// detail::exact_kind.
detail::general_kind exact_general_kind(scalar_type in, scalar_type out, scalar_type sum);
std::string_view general_kernel_hash();

/// The tile that a plan takes on that device, the model's seconds, and its source in words; empty words: the model's
/// first choice, for lack of a record.
struct general_present {
  detail::general_tile tile;
  double seconds = 0;
  std::string source;
};
general_present present_general_tile(const general_form& form, const detail::general_kind& kind,
                                     std::string_view device);

/// A kernel on the current GPU, compiled or from the cache; see gpu/include/tessera/gpu/detail/general/.
class jit_general_kernel {
 public:
  /// Throws if it does not compile, or the GPU cannot run it.
  jit_general_kernel(const general_form& form, const detail::general_kind& kind, const detail::general_tile& tile);

  /// Queues out = sum left right; all in device memory.
  void run(const void* left, const void* right, void* out, stream_view stream) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace tessera
