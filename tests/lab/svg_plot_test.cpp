#include "lab/svg_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lab/svg_scale.h"
#include "lab/well_formed.h"

namespace tenpin::lab {
namespace {

TEST(SvgPlot, TicksAreRoundNumbersWithinTheRange) {
  const std::vector<double> expected = {-2.0, -1.0, 0.0, 1.0};
  EXPECT_EQ(calc_ticks({.low = -2.3, .high = 1.9}, 5), expected);
  const std::vector<double> fine = calc_ticks({.low = 0.25, .high = 0.75}, 8);
  ASSERT_EQ(fine.size(), 5u);  // 0.3 ... 0.7
  EXPECT_NEAR(fine.front(), 0.3, 1e-15);
  EXPECT_NEAR(fine[1] - fine[0], 0.1, 1e-15);
}

TEST(SvgPlot, WhatDiffersByRoundingAloneIsDrawnFlat) {
  EXPECT_TRUE(calc_ticks({.low = 1.0, .high = 1.0 + 4e-16}, 5).empty());
  Plot plot;
  plot.series.push_back({.points = {{0.0, 1.0}, {1.0, 1.0 + 2.3e-16}}});
  EXPECT_LT(draw_svg(plot).size(), 20'000U);
}

TEST(SvgPlot, LogarithmAgreesWithTheLibrary) {
  for (double x = 1e-12; x < 1e12; x *= 1.37) EXPECT_NEAR(calc_log10(x), std::log10(x), 1e-14);
}

TEST(SvgPlot, TextIsEscaped) {
  EXPECT_EQ(escape_xml("a<b & \"c\" 'd' >"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39; &gt;");
}

Plot make_plot() {
  Plot plot{.x_label = "t < 1 (s)", .y_label = "\"v\" & w"};
  plot.description = "<script>alert(1)</script>";
  plot.series.push_back({.name = "<b>", .points = {{0.0, 1.0}, {1.0, 2.0}, {2.0, -1.0}}});
  plot.outlines.push_back({.points = make_circle({1.0, 1.0}, 0.5), .fill = 0.2});
  plot.arrows.push_back({{0.0, 0.0}, {1.0, 1.0}});
  plot.labels.push_back({.at = {1.0, 1.0}, .text = "</text>"});
  return plot;
}

TEST(SvgPlot, PictureIsWellFormedWhateverItsTexts) {
  EXPECT_EQ(find_xml_fault(draw_svg(make_plot())), "");
}

TEST(SvgPlot, CheckerSeesFaults) {
  EXPECT_NE(find_xml_fault("<svg><g></svg>"), "");
  EXPECT_NE(find_xml_fault("<svg a=\"1\" a=\"2\"/>"), "");
  EXPECT_NE(find_xml_fault("<svg>&</svg>"), "");
  EXPECT_NE(find_xml_fault("<svg/><svg/>"), "");
  EXPECT_EQ(find_xml_fault("<svg a=\"1\"><g/>&amp;</svg>\n"), "");
}

TEST(SvgPlot, NumbersThatAreNotFiniteInterruptTheLine) {
  Plot plot;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  plot.series.push_back({.points = {{0.0, 0.0}, {1.0, 1.0}, {2.0, nan}, {3.0, 1.0}, {4.0, 0.0}}});
  const std::string svg = draw_svg(plot);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(find_xml_fault(svg), "");
}

// Over curves a legend lies on a pale rectangle, which would hide them.
bool covers_the_frame(const Plot& plot) {
  return draw_svg(plot).find("fill-opacity:.82") != std::string::npos;
}

TEST(SvgPlot, LegendLeavesCurvesFree) {
  Plot plot;
  plot.series.push_back({.name = "middle", .points = {{0.0, 0.5}, {1.0, 0.5}}});
  plot.y_range = Range{0.0, 1.0};
  EXPECT_TRUE(covers_the_frame(plot));  // a corner is free
  plot.series.push_back({.name = "high", .points = {{0.0, 0.95}, {1.0, 0.95}}});
  plot.series.push_back({.name = "low", .points = {{0.0, 0.1}, {1.0, 0.1}}});
  EXPECT_FALSE(covers_the_frame(plot));
  EXPECT_GT(draw_svg(plot).find(">low</text>"), 0U);
  EXPECT_EQ(find_xml_fault(draw_svg(plot)), "");
}

TEST(SvgPlot, EmptyPlotIsDrawn) {
  EXPECT_EQ(find_xml_fault(draw_svg({})), "");
}

TEST(SvgPlot, EqualScaleMakesCirclesRound) {
  Plot plot{.x_range = Range{0.0, 4.0}, .y_range = Range{0.0, 1.0}, .equal_scale = true};
  const PlotFrame frame = make_frame(plot);
  EXPECT_NEAR(frame.x.pixel(1.0) - frame.x.pixel(0.0), frame.y.pixel(0.0) - frame.y.pixel(1.0),
              1e-9);
}

TEST(SvgPlot, LogAxisSpacesDecadesEvenly) {
  const Axis axis({.low = 0.001, .high = 1.0}, true, 0.0, 300.0);
  EXPECT_NEAR(axis.pixel(0.01), 100.0, 1e-9);
  EXPECT_NEAR(axis.pixel(0.1), 200.0, 1e-9);
}

}  // namespace
}  // namespace tenpin::lab
