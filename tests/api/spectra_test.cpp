// Spectra of formulas as the program shows them.

#include "api/spectra/spectra.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trunnion {
namespace {

using testing::HasSubstr;

TEST(Spectra, AFormulaWithoutOneSaysSo) {
  std::string why;
  EXPECT_FALSE(api::driven_spectrum(*api::formula_choice("GSTIFF", why), api::spectrum_places(), why));
  EXPECT_THAT(why, HasSubstr("GSTIFF changes its order as it goes"));
}

TEST(Spectra, AsTextDrawingAndPage) {
  std::string why;
  const auto places = api::spectrum_places();
  const std::vector<api::Spectrum> two = {
      *api::driven_spectrum(*api::formula_choice("BATHE:0.6", why), places, why),
      *api::driven_spectrum(*api::formula_choice("ESDIRK34", why), places, why)};
  const std::string csv = api::spectra_csv(two), table = api::spectra_table(two),
                    page = api::spectra_page(two);
  EXPECT_THAT(csv, testing::StartsWith(
                       "formula,rho_inf,x,decay_percent,elongation_percent,radius\nBATHE,0.6,0.005,"));
  EXPECT_THAT(csv, HasSubstr("\nESDIRK34,0,10,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * static_cast<long>(places.size()));
  EXPECT_THAT(
      table,
      HasSubstr("BATHE                  0.6    0.0024    0.1740    0.0369    1.0766    0.2613    4.1620"
                "   0.99685    0.6799    0.6010\n"));
  EXPECT_THAT(page, HasSubstr("<td>BATHE 0.6</td><td>0.0024</td>"));
  EXPECT_THAT(page, HasSubstr("spectral radius"));
  EXPECT_THAT(page, testing::Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace trunnion
