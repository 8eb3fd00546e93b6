// SPDX-License-Identifier: BSD-3-Clause
// Drawing: a fixed frame, five ticks an axis (powers of ten where logarithmic), colours that differ in grey too.
#include "command/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tessera::tune {

namespace {

constexpr double width = 520, height = 340, left = 60, right = 16, top = 34, bottom = 46;
constexpr const char* colours[] = {"#0b5394", "#cc4125", "#38761d", "#b45f06", "#674ea7", "#666666"};

template <class... Value>
std::string formatted(const char* format, Value... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

const char* colour_of(int i) { return colours[std::size_t(i) % std::size(colours)]; }

double place(const axis_range& a, double value) {
  if (!a.logarithmic) return (value - a.low) / (a.high - a.low);
  return std::log(value / a.low) / std::log(a.high / a.low);
}

std::vector<double> marks(const axis_range& a) {
  std::vector<double> at;
  if (a.logarithmic)
    for (double v = std::pow(10, std::ceil(std::log10(a.low) - 1e-9)); v <= a.high * 1.0001; v *= 10) at.push_back(v);
  if (at.size() < 2) {
    at.clear();
    for (int i = 0; i <= 5; ++i) {
      const double share = i / 5.0;
      at.push_back(a.logarithmic ? a.low * std::pow(a.high / a.low, share) : a.low + share * (a.high - a.low));
    }
  }
  return at;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

picture::picture(std::string title, axis_range x, axis_range y)
    : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

double picture::across(double x) const { return left + (width - left - right) * std::clamp(place(x_, x), 0.0, 1.0); }
double picture::up(double y) const {
  return height - bottom - (height - top - bottom) * std::clamp(place(y_, y), 0.0, 1.0);
}

void picture::add_legend(int colour, const std::string& name) {
  if (name.empty()) return;
  const double y = top + 14 + 15 * legend_lines_++;
  legend_ += formatted("<rect x='%.0f' y='%.0f' width='10' height='10' fill='%s'/>", width - right - 170, y - 9,
                       colour_of(colour));
  legend_ += formatted("<text x='%.0f' y='%.0f'>", width - right - 155, y) + escaped(name) + "</text>\n";
}

void picture::line(const points& at, int colour, const std::string& name) {
  std::string path;
  for (const auto& [x, y] : at) path += formatted("%.1f,%.1f ", across(x), up(y));
  body_ += "<polyline fill='none' stroke='" + std::string(colour_of(colour)) +
           (name.empty() ? "' stroke-width='1' stroke-opacity='0.25" : "' stroke-width='2") + "' points='" + path +
           "'/>\n";
  add_legend(colour, name);
}

void picture::dots(const points& at, int colour, const std::string& name) {
  for (const auto& [x, y] : at)
    body_ += formatted("<circle cx='%.1f' cy='%.1f' r='%s' fill='%s' fill-opacity='%s'/>\n", across(x), up(y),
                       name.empty() ? "2" : "3", colour_of(colour), name.empty() ? "0.35" : "0.9");
  add_legend(colour, name);
}

void picture::box(double x0, double y0, double x1, double y1, double shade, const std::string& text) {
  const int light = int(std::lround(90 + 165 * std::clamp(1 - shade, 0.0, 1.0)));
  const double l = across(x0), r = across(x1), b = up(y0), t = up(y1);
  body_ += formatted("<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='rgb(%d,%d,255)' stroke='white'/>", l, t,
                     r - l, b - t, light - 60, light);
  body_ += formatted("<text x='%.1f' y='%.1f' text-anchor='middle' font-size='10'>", (l + r) / 2, (t + b) / 2 + 4) +
           escaped(text) + "</text>\n";
}

std::string picture::ticks() const {
  std::string text;
  for (const double v : marks(x_))
    text += formatted(
        "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/><text x='%.1f' y='%.1f' "
        "text-anchor='middle'>%.3g</text>\n",
        across(v), top, across(v), height - bottom, across(v), height - bottom + 16, v);
  for (const double v : marks(y_))
    text += formatted(
        "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/><text x='%.1f' y='%.1f' "
        "text-anchor='end'>%.3g</text>\n",
        left, up(v), width - right, up(v), left - 6, up(v) + 4, v);
  return text;
}

std::string picture::svg() const {
  std::string text = formatted(
      "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.0f %.0f' "
      "font-family='sans-serif' font-size='11'>\n",
      width, height, width, height);
  text += formatted("<text x='%.0f' y='20' font-size='13' font-weight='bold'>", left) + escaped(title_) + "</text>\n";
  text += ticks() + body_ + legend_;
  text += formatted("<rect x='%.0f' y='%.0f' width='%.0f' height='%.0f' fill='none' stroke='#444'/>\n", left, top,
                    width - left - right, height - top - bottom);
  text += formatted("<text x='%.0f' y='%.0f' text-anchor='middle'>", (left + width - right) / 2, height - 10) +
          escaped(x_.label) + "</text>\n";
  text += formatted("<text x='14' y='%.0f' text-anchor='middle' transform='rotate(-90 14 %.0f)'>",
                    (top + height - bottom) / 2, (top + height - bottom) / 2) +
          escaped(y_.label) + "</text>\n";
  return text + "</svg>\n";
}

}  // namespace tessera::tune
