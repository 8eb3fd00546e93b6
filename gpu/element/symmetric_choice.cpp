// SPDX-License-Identifier: BSD-3-Clause
// Rules for blocks of symmetric element matrices: some KB of whole matrices, or a slice of a large one.
#include <tessera/element/symmetric_choice.hpp>

#include <algorithm>
#include <cstdlib>

#include "product_tunings.hpp"

namespace tessera {

namespace {

constexpr int most_elements = 96, most_elements_of_3d = 28, most_bytes_of_some = 16 << 10;
// Places are numbers of 16 bits.
constexpr int most_staged = 1 << 16;
constexpr int most_bytes_of_constants = (4 << 10) - 256;  // what a launch takes with the other arguments

const char* why_unfit_block(int threads, int blocks, int bytes, int staged, const gpu_limits& m) {
  if (threads < 32 || threads % 32 != 0 || threads > m.threads) return "threads are not whole warps of a block";
  if (blocks < 1 || blocks * threads > m.all_threads || blocks > m.blocks) return "too many blocks are asked for";
  if (bytes > m.shared_bytes || staged > most_staged) return "numbers of a block do not fit shared memory";
  return "";
}

}  // namespace

const char* why_unfit(const pair_room& room, const gpu_limits& m) {
  if (room.by.elements < 1 || (room.by.sliced && room.by.elements > 1)) return "slices are not of one matrix";
  return why_unfit_block(room.by.threads, room.by.blocks, room.bytes(), room.staged_entries(), m);
}

const char* why_unfit(const halved_room& room, const gpu_limits& m) {
  const halved_tuning& t = room.by;
  if (t.waves < 0 || t.at_once < 1) return "a thread has nothing to do";
  if (t.tiled < 0 || (t.tiled > 0 && (t.sliced || room.of.packed || room.of.functions % 2 != 0)))
    return "tiles are of whole matrices of an even number of functions a direction";
  if (t.tiled > 0 && !room.deals_out_evenly()) return "pairs of functions are not dealt out evenly";
  if (!room.apart() && room.threads_of_wave() > t.threads) return "threads do not hold a wave";
  if (room.units().entries() * 8 > most_bytes_of_constants) return "products do not fit the launch";
  return why_unfit_block(t.threads, t.blocks, room.bytes(), room.staged_entries(), m);
}

const char* why_unfit(const strip_room& room, const gpu_limits& m) {
  if (room.of.functions > strip_room::square || room.of.points > strip_room::square)
    return "functions and points do not fit a product";
  if (room.by.staged < 1 || room.by.staged > 2) return "one strip is staged, or two";
  return why_unfit_block(room.by.threads, room.by.blocks, room.bytes(), 0, m);
}

const char* why_unfit(const parity_room& room, const gpu_limits& m) {
  const parity_tuning& t = room.by;
  if (t.elements < 1 || t.columns < 1 || t.at_once < 1) return "a block has nothing to do";
  if (room.tables().entries() * 8 > most_bytes_of_constants) return "functions do not fit the launch";
  return why_unfit_block(t.threads, t.blocks, room.bytes(), room.staged_entries(), m);
}

const char* why_unfit(const product_room& room, const gpu_limits& m) {
  const product_sizes& s = room.of;
  const product_tuning& t = room.by;
  if (s.dim < 2 || (s.dim == 2 && t.way != product_way::alone)) return "products of warps are for 3-D";
  if ((t.way == product_way::alone && s.dim == 3 && (s.functions > 2 || s.points > 3)) ||
      (t.way == product_way::held && (s.functions > 4 || s.points > 4)))
    return "numbers of a pair do not fit registers";
  if (t.elements < 1 || t.sharing < 1) return "a block has nothing to do";
  return why_unfit_block(t.threads, t.blocks, room.bytes(), room.staged_entries(), m);
}

namespace {

// Of a thread, so that nothing is spilled.
int registers_for(const pair_sizes& s) {
  if (!s.mirrored && s.functions > 3) return 80;
  if (s.dim < 3) return s.functions <= 4 ? 40 : s.functions <= 7 ? 48 : 64;
  return s.functions <= 5 ? 40 : s.functions == 6 ? 64 : 80;
}

}  // namespace

// Figures behind these rules: decision 18.
std::optional<pair_tuning> pair_tuning_of(const pair_sizes& s, const gpu_limits& m) {
  pair_tuning t;
  // Constants of a launch that stay near, and not too many numbers for places.
  if (pair_room{s, t}.units().entries() * s.entry_bytes > 2304 || s.functions > 16) return {};
  const index_t bytes = pair_room{s, t}.entries_of_matrix() * s.entry_bytes;
  t.elements = int(std::clamp<index_t>((bytes / 2 + most_bytes_of_some) / bytes, 1,
                                       s.dim == 3 ? most_elements_of_3d : most_elements));
  if (t.elements > 1) t.elements += t.elements % 2;
  while (t.elements > 1 && pair_room{s, t}.bytes() > m.all_shared_bytes / 5 - 1024) t.elements = (t.elements + 1) / 2;
  t.sliced = s.dim > 1 && pair_room{s, t}.bytes() > m.all_shared_bytes / (s.packed ? 2 : 5) - 1024;
  const index_t written = bytes * t.elements;
  // A thread has hundred bytes or more to write.
  t.threads = t.sliced                                            ? 256
              : written <= (t.elements > 1 ? 20 << 10 : 40 << 10) ? 128
              : written <= 56 << 10                               ? 256
                                                                  : 512;
  const int by_memory = m.all_shared_bytes / (pair_room{s, t}.bytes() + 1024);
  const int by_registers = m.registers / (t.threads * registers_for(s));
  t.blocks = std::clamp(std::min({by_memory, by_registers, m.all_threads / t.threads}), 1, m.blocks);
  if (*why_unfit(pair_room{s, t}, m) != '\0') return {};
  return t;
}

std::optional<halved_tuning> halved_tuning_of(const halved_sizes& s, const gpu_limits& m) {
  for (const detail::halved_row& row : detail::halved_rows)
    if (row.functions == s.functions && row.points == s.points && *why_unfit(halved_room{s, row.of}, m) == '\0')
      return row.of;
  return {};
}

std::optional<strip_tuning> strip_tuning_of(const halved_sizes& s, const gpu_limits& m) {
  if (!m.tensor_cores) return {};
  for (const detail::strip_row& row : detail::strip_rows)
    if (row.functions == s.functions && row.points == s.points && row.packed == s.packed &&
        *why_unfit(strip_room{s, row.of}, m) == '\0')
      return row.of;
  return {};
}

// That of as many points, or of one more.
std::optional<parity_tuning> parity_tuning_of(const parity_sizes& s, const gpu_limits& m) {
  if (s.points < s.functions) return {};
  for (const int more : {0, 1})
    for (const detail::parity_row& row : detail::parity_rows)
      if (row.functions == s.functions && row.points == s.points + more && row.packed == s.packed)
        return *why_unfit(parity_room{s, row.of}, m) == '\0' ? std::optional(row.of) : std::nullopt;
  return {};
}

// That of the nearest number of points, if it fits.
std::optional<product_tuning> product_tuning_of(const product_sizes& s, const gpu_limits& m) {
  const detail::product_row* best = nullptr;
  const auto off = [&](const detail::product_row& row) { return std::abs(row.points - s.points); };
  for (const detail::product_row& row : detail::product_rows)
    if (row.dim == s.dim && row.functions == s.functions && (best == nullptr || off(row) < off(*best))) best = &row;
  if (best == nullptr || off(*best) > 1) return {};
  if (best->of.way != product_way::alone && !m.tensor_cores) return {};
  if (*why_unfit(product_room{s, best->of}, m) != '\0') return {};
  return best->of;
}

}  // namespace tessera
