// SPDX-License-Identifier: BSD-3-Clause
// Small pictures for reports: one pair of axes with points, lines and boxes, as SVG text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tessera::tune {

/// & < > and quotes as entities.
std::string escaped(const std::string& text);

struct axis_range {
  std::string label;
  double low = 0, high = 1;
  bool logarithmic = false;
};

class picture {
 public:
  picture(std::string title, axis_range x, axis_range y);

  using points = std::vector<std::pair<double, double>>;

  /// Names appear in the legend; a series without one is drawn faintly.
  void line(const points& at, int colour, const std::string& name = {});
  void dots(const points& at, int colour, const std::string& name = {});
  /// A filled box between two corners; shade 0 (dark) to 1 (light), with a text in its middle.
  void box(double x0, double y0, double x1, double y1, double shade, const std::string& text);

  std::string svg() const;

 private:
  double across(double x) const;
  double up(double y) const;
  void add_legend(int colour, const std::string& name);
  std::string ticks() const;

  std::string title_, body_, legend_;
  axis_range x_, y_;
  int legend_lines_ = 0;
};

}  // namespace tessera::tune
