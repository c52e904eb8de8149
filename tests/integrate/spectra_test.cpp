// Spectra taken from the program's own steps are those that the tables of the formulas say.

#include "api/spectra/spectra.hpp"

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "formulas/newmark_table.hpp"

namespace trunnion {
namespace {

using formulas::Roots;
using formulas::SpectrumPoint;

constexpr double kPlaces[] = {0.02, 0.05, 0.1, 0.3, 1, 10};

std::vector<SpectrumPoint> driven(const std::string& text) {
  std::string why;
  const auto choice = api::formula_choice(text, why);
  EXPECT_TRUE(choice) << why;
  if (!choice) return {};
  const auto spectrum = api::driven_spectrum(*choice, kPlaces, why);
  EXPECT_TRUE(spectrum) << why;
  return spectrum ? spectrum->points : std::vector<SpectrumPoint>();
}

// Percents to 1e-9. The radius far beyond the period to 1e-6 where r roots meet at −ρ: rounding is felt by its r-th root.
void expect_same(const std::string& name, const std::vector<SpectrumPoint>& wanted, int roots) {
  const std::vector<SpectrumPoint> found = driven(name);
  ASSERT_EQ(found.size(), wanted.size()) << name;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double x = found[k].x;
    EXPECT_NEAR(found[k].radius, wanted[k].radius, roots > 1 && x >= 1 ? 1e-6 : 1e-9) << name << " at " << x;
    if (x > 0.5) continue;
    EXPECT_NEAR(found[k].decay_percent, wanted[k].decay_percent, 1e-9) << name << " at " << x;
    EXPECT_NEAR(found[k].elongation_percent, wanted[k].elongation_percent, 1e-9) << name << " at " << x;
  }
}

TEST(Spectra, OfEveryFormulaInStagesAreThoseOfItsTable) {
  for (const formulas::Entry& entry : formulas::catalogue()) {
    const auto* staged = std::get_if<formulas::StagedType>(&entry.family);
    if (staged == nullptr) continue;
    const bool chosen = entry.damping == formulas::Damping::rho;
    for (const double rho : chosen ? std::vector<double>{0, 0.35} : std::vector<double>{entry.rho}) {
      const formulas::StagedTable table = staged->table(rho);
      const std::string name = std::string(entry.keyword) + (chosen ? ":" + std::to_string(rho) : "");
      const auto wanted = spectrum(table, table.stages, kPlaces);
      expect_same(name, wanted, 1 + table.past);
      if (entry.si2 && rho > 0) expect_same(name + ":SI2", wanted, 1 + table.past);
    }
  }
}

TEST(Spectra, OfEveryFormulaWithCoupledStagesAreThoseOfItsTable) {
  for (const formulas::Entry& entry : formulas::catalogue()) {
    const auto* coupled = std::get_if<formulas::CollocationType>(&entry.family);
    if (coupled == nullptr) continue;
    const bool chosen = entry.damping == formulas::Damping::rho;
    for (const double rho : chosen ? std::vector<double>{0, 0.35, 1} : std::vector<double>{entry.rho}) {
      const formulas::CollocationTable table = coupled->table(rho);
      const auto wanted = formulas::spectrum_of(
          [&](double y) { return formulas::amplification_roots(table, std::complex<double>(0, y)); },
          table.stages, kPlaces);
      expect_same(std::string(entry.keyword) + (chosen ? ":" + std::to_string(rho) : ""), wanted, 1);
    }
  }
}

TEST(Spectra, OfSingleStepFormulasAreThoseOfTheMultistepOnes) {
  for (int steps = 2; steps <= 4; ++steps)
    for (const char* rho : {"0", "0.6"})
      expect_same("SS" + std::to_string(steps) + ":" + rho,
                  spectrum(formulas::lms_table(steps, std::stod(rho)), 1, kPlaces), steps);
}

// Of (x, h v, h² a), by hand.
Roots newmark_roots(const formulas::NewmarkTable& t, double y) {
  Eigen::Matrix3d after, before;
  after << 1, 0, -t.beta, 0, 1, -t.gamma, (1 - t.alpha_f) * y * y, 0, 1 - t.alpha_m;
  before << 1, 1, 0.5 - t.beta, 0, 1, 1 - t.gamma, -t.alpha_f * y * y, 0, -t.alpha_m;
  const Eigen::VectorXcd values = Eigen::Matrix3d(after.inverse() * before).eigenvalues();
  return {values.begin(), values.end()};
}

TEST(Spectra, OfNewmarkTypesAreTheClosedForms) {
  const std::pair<const char*, formulas::NewmarkTable> cases[] = {
      {"HHT", formulas::hht_table(-0.3)},
      {"NEWMARK", formulas::newmark_table(0.36, 0.7)},
      {"GALPHA:0", formulas::generalized_alpha_table(0)},
      {"GALPHA:0.6", formulas::generalized_alpha_table(0.6)},
      {"WBZ:0.6", formulas::wbz_table(0.6)}};
  for (const auto& [name, table] : cases) {
    expect_same(name,
                formulas::spectrum_of([&t = table](double y) { return newmark_roots(t, y); }, 1, kPlaces), 3);
    const Roots far = newmark_roots(table, 1e5);
    double radius = 0;
    for (const auto& root : far) radius = std::max(radius, std::abs(root));
    EXPECT_NEAR(formulas::radius_at_infinity(table), radius, 1e-3) << name;  // three roots meet by y^(-2/3)
  }
  EXPECT_NEAR(formulas::radius_at_infinity(formulas::generalized_alpha_table(0.6)), 0.6, 1e-7);
}

// As the digest of the papers has it.
TEST(Spectra, OfHht) {
  const auto found = driven("HHT");
  ASSERT_EQ(found.size(), std::size(kPlaces));
  const double cells[3][3] = {{0.0036, 0.1963, 1}, {0.0541, 1.2117, 0.99983}, {0.3752, 4.6559, 0.99775}};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k].decay_percent, cells[k][0], 5.1e-5);
    EXPECT_NEAR(found[k].elongation_percent, cells[k][1], 5.1e-5);
    EXPECT_NEAR(found[k].radius, cells[k][2], 5.1e-6);
  }
  EXPECT_NEAR(found[4].radius, 0.7499, 5.1e-5);
  EXPECT_NEAR(found[5].radius, 0.5599, 5.1e-5);
}

}  // namespace
}  // namespace trunnion
