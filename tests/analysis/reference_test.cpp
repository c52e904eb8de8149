// The commercial solver's own first rows: positions, velocities, accelerations and reactions at t = 0.

#include <fstream>
#include <sstream>

#include "analysis/mechanism.hpp"

namespace trunnion::test {
namespace {

const std::string kFolder = std::string(TRUNNION_CORPUS_DIR) + "/adams-reference/";

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The row of numbers at t = 0 of one of its tables, without the time.
std::vector<double> first_row(const std::string& name, const std::string& table) {
  std::ifstream file(kFolder + name + "_ADAMS_" + table + ".txt");
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#' || line[0] == 'T') continue;
    std::stringstream numbers(line);
    std::vector<double> row;
    for (double value = 0; numbers >> value;) row.push_back(value);
    row.erase(row.begin());
    return row;
  }
  return {};
}

class Reference : public ::testing::TestWithParam<const char*> {};

TEST_P(Reference, InitialStateAgreesToPrintPrecision) {
  const std::string name = GetParam();
  const std::string text = slurp(kFolder + name + ".adm");
  if (text.empty()) GTEST_SKIP() << "no corpus at " << kFolder;
  Mechanism m(text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  auto channel = m.sample();
  // Six digits are printed (a seventh is always 0), so half a unit is 5e-6 at most; the zeros are of size 1e-15.
  const auto compare = [&](const std::string& table, std::initializer_list<const char*> channels) {
    const std::vector<double> row = first_row(name, table);
    ASSERT_EQ(row.size(), channels.size()) << table;
    std::size_t k = 0;
    for (const char* c : channels) {
      ASSERT_TRUE(channel.count(c)) << c;
      EXPECT_NEAR(channel[c], row[k], 5e-6 * std::abs(row[k]) + 1e-12) << name << ' ' << table << ' ' << c;
      ++k;
    }
  };
  compare("Pos", {"REQUEST/1.F2", "REQUEST/1.F3", "REQUEST/1.F4"});
  compare("Vel", {"REQUEST/2.F2", "REQUEST/2.F3", "REQUEST/2.F4"});
  compare("Avel", {"REQUEST/2.F6", "REQUEST/2.F7", "REQUEST/2.F8"});
  compare("Acc", {"REQUEST/3.F2", "REQUEST/3.F3", "REQUEST/3.F4"});
  compare("Aacc", {"REQUEST/3.F6", "REQUEST/3.F7", "REQUEST/3.F8"});
  compare("Quat", {"REQUEST/4.F2", "REQUEST/4.F3", "REQUEST/4.F4", "REQUEST/4.F6"});
  compare("Rforce", {"REQUEST/5.F2", "REQUEST/5.F3", "REQUEST/5.F4"});
  compare("Rtorque", {"REQUEST/5.F6", "REQUEST/5.F7", "REQUEST/5.F8"});
}

INSTANTIATE_TEST_SUITE_P(Corpus, Reference,
                         ::testing::Values("Revolute_Case01", "Spherical_Case01", "Universal_Case01",
                                           "Prismatic_Case01", "Cylindrical_Case01", "Distance_Case01"));

}  // namespace
}  // namespace trunnion::test
