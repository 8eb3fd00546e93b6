// SPDX-License-Identifier: BSD-3-Clause
// Records of general contractions: the tile that was fastest for a form on a GPU, and which record serves another form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tessera/detail/general_cost.hpp>
#include <tessera/detail/general_kind.hpp>

namespace tessera::detail {

/// A winner on a GPU.
struct tuned_general {
  std::string_view kind, device;  // text_of(general_kind); "NVIDIA H200"
  bool stale = false;             // the kernels have changed since
  general_form form;
  general_tile tile;
};

/// The records that this build embeds, a user's own first.
std::span<const tuned_general> general_records();

/// A hash over the sources of the kernels of general contractions.
std::string_view general_source_hash();

/// Every extent and stride: "rows 24:1:1 72:24:576, columns 72:5184:41472, sum 72:1:1, batch 1". Of a row extent,
/// stride in the left input and in the output; of a column the right input's and the output's; of the sum the left and
/// the right input's; of the batch all three. Forms with the same text are the same.
std::string text_of(const general_form& form);

/// "" for a tile of the form, else the fault in words: "a box of 25 in a digit of 24".
std::string why_no_tile(const general_tile& tile, const general_form& form);

/// How far a form is from another: the sum of |log2| of the ratios of extents. Infinite where they differ in more than
/// extents: in the number of rows' digits, of columns', of the sum's or of the batch's, in the order of digits by
/// distance in a tensor, or in which digits have stride 0 or 1.
double distance_between(const general_form& recorded, const general_form& wanted);

/// The tile with boxes no larger than the extents of `form`, which has as many digits.
general_tile clipped(general_tile tile, const general_form& form);

/// What was chosen, and from which record.
struct general_choice {
  general_tile tile;
  const tuned_general* from = nullptr;
  double distance = 0;  // 0: a record of this form
};

/// A tile of another form, or of another GPU, is taken if the model rates it at most this many times as slow as its own
/// first choice.
inline constexpr double most_of_modelled = 1.25;

/// The first record of this form, kind and device; else the one of this kind that is nearest, clipped, provided that
/// the model does not object, by the rates of `gpu`. Another device counts as a distance of 1/4. A kind with functions
/// takes records of the plain one where it has none of its own. Of records as near the first one. `modelled` are the
/// seconds of the model's own first choice; 0: they are computed if they are needed.
std::optional<general_choice> choose_general(std::span<const tuned_general> records, const general_form& form,
                                             const general_kind& kind, std::string_view device, const gpu_rates& gpu,
                                             double modelled = 0);

/// A tile from the records of TESSERA_RECORDS or overlay_records, else from those of this build, and in words where it
/// is from: "record of this contraction on NVIDIA H200".
struct recorded_general {
  general_tile tile;
  std::string source;
};
/// Empty where there is no record that serves. `device` is device_name(target::cuda).
std::optional<recorded_general> recorded_choice(const general_form& form, const general_kind& kind,
                                                std::string_view device, const gpu_rates& gpu, double modelled = 0);
/// Its tile.
std::optional<general_tile> recorded_tile(const general_form& form, const general_kind& kind, std::string_view device,
                                          const gpu_rates& gpu, double modelled = 0);

}  // namespace tessera::detail
