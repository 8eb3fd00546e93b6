// SPDX-License-Identifier: BSD-3-Clause
// The 48 contractions of the TCCG benchmark, of quantum chemistry and others: output, left and right input by their
// letters, nearest first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::bench {

struct tccg_row {
  int id;
  std::string_view text;  // "abc-bda-dc": C(a,b,c) = sum_d A(b,d,a) B(d,c)
  index_t extents[7];     // of a, b, c, ...; 0 where there is no such letter
};

// Where the published text is not a contraction, the row that its benchmark runs.
inline constexpr tccg_row tccg_rows[] = {
    {1, "abc-bda-dc", {312, 312, 24, 312}},
    {2, "abc-dca-bd", {312, 24, 296, 312}},
    {3, "abcd-dbea-ec", {72, 72, 24, 72, 72}},
    {4, "abcd-deca-be", {72, 24, 72, 72, 72}},
    {5, "abcd-ebad-ce", {72, 72, 24, 72, 72}},
    {6, "abcde-efbad-cf", {48, 32, 24, 32, 48, 32}},
    {7, "abcde-ecbfa-fd", {48, 32, 32, 24, 48, 48}},
    {8, "abcde-efcad-bf", {48, 24, 32, 32, 48, 32}},
    {9, "abcd-ea-ebcd", {72, 72, 72, 72, 72}},
    {10, "abcd-eb-aecd", {72, 72, 72, 72, 72}},
    {11, "abcd-ec-abed", {72, 72, 72, 72, 72}},
    {12, "ab-ac-cb", {5136, 5120, 5136}},
    {13, "ab-acd-dbc", {312, 296, 296, 312}},
    {14, "ab-cad-dcb", {312, 296, 312, 312}},
    {15, "abc-acd-db", {312, 296, 296, 312}},
    {16, "abc-ad-bdc", {312, 312, 296, 296}},
    {17, "abc-adc-bd", {312, 312, 296, 296}},
    {18, "abc-adc-db", {312, 296, 296, 312}},
    {19, "abc-adec-ebd", {72, 72, 72, 72, 72}},
    {20, "abcd-aebf-dfce", {72, 72, 72, 72, 72, 72}},
    {21, "abcd-aebf-fdec", {72, 72, 72, 72, 72, 72}},
    {22, "abcd-aecf-bfde", {72, 72, 72, 72, 72, 72}},
    {23, "abcd-aecf-fbed", {72, 72, 72, 72, 72, 72}},
    {24, "abcd-aedf-bfce", {72, 72, 72, 72, 72, 72}},
    {25, "abcd-aedf-fbec", {72, 72, 72, 72, 72, 72}},
    {26, "abcd-aefb-fdec", {72, 72, 72, 72, 72, 72}},
    {27, "abcd-aefc-fbed", {72, 72, 72, 72, 72, 72}},
    {28, "abcd-eafb-fdec", {72, 72, 72, 72, 72, 72}},
    {29, "abcd-eafc-bfde", {72, 72, 72, 72, 72, 72}},
    {30, "abcd-eafd-fbec", {72, 72, 72, 72, 72, 72}},
    {31, "abcdef-dega-gfbc", {24, 16, 16, 24, 16, 16, 24}},
    {32, "abcdef-degb-gfac", {24, 16, 16, 24, 16, 16, 24}},
    {33, "abcdef-degc-gfab", {24, 16, 16, 24, 16, 16, 24}},
    {34, "abcdef-dfga-gebc", {24, 16, 16, 24, 16, 16, 24}},
    {35, "abcdef-dfgb-geac", {24, 16, 16, 24, 16, 16, 24}},
    {36, "abcdef-dfgc-geab", {24, 16, 16, 24, 16, 16, 24}},
    {37, "abcdef-efga-gdbc", {24, 16, 16, 16, 24, 16, 24}},
    {38, "abcdef-efgb-gdac", {24, 16, 16, 16, 24, 16, 24}},
    {39, "abcdef-efgc-gdab", {24, 16, 16, 16, 24, 16, 24}},
    {40, "abcdef-gdab-efgc", {24, 16, 16, 16, 24, 16, 24}},
    {41, "abcdef-gdac-efgb", {24, 16, 16, 16, 24, 16, 24}},
    {42, "abcdef-gdbc-efga", {24, 16, 16, 16, 24, 16, 24}},
    {43, "abcdef-geab-dfgc", {24, 16, 16, 24, 16, 16, 24}},
    {44, "abcdef-geac-dfgb", {24, 16, 16, 24, 16, 16, 24}},
    {45, "abcdef-gebc-dfga", {24, 16, 16, 24, 16, 16, 24}},
    {46, "abcdef-gfab-degc", {24, 16, 16, 24, 16, 16, 24}},
    {47, "abcdef-gfac-degb", {24, 16, 16, 24, 16, 16, 24}},
    {48, "abcdef-gfbc-dega", {24, 16, 16, 24, 16, 16, 24}},
};

/// "bda,dc->abc".
inline std::string einsum_of(const tccg_row& row) {
  const auto first = row.text.find('-'), second = row.text.rfind('-');
  return std::string(row.text.substr(first + 1, second - first - 1)) + "," + std::string(row.text.substr(second + 1)) +
         "->" + std::string(row.text.substr(0, first));
}

/// "all", or "1-8,12". Throws tessera::error naming what is neither.
std::vector<tccg_row> choose_tccg_rows(std::string_view text);

/// "tensor by matrix".
const char* group_of(const tccg_row& row);
/// At least 1.
index_t extent_of(const tccg_row& row, char letter, double scale);

}  // namespace tessera::bench
