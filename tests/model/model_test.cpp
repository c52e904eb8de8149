#include "model/model.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "formulas/catalogue.hpp"
#include "model/defaults.hpp"
#include "model/validate.hpp"
#include "support/random_statements.hpp"
#include "support/reading.hpp"
#include "support/same.hpp"

namespace trunnion::model {
namespace {

// --- the container ------------------------------------------------------------------------------------------------

TEST(Model, KeepsOrderAndFindsById) {
  Model m;
  Marker a;
  a.id = 7;
  a.name = "hub";
  m.add(a);
  m.add(Part{}).ground = true;
  ASSERT_EQ(m.order.size(), 2u);
  EXPECT_EQ(m.order[0].kind, kind_of<Marker>());
  EXPECT_EQ(m.find<Marker>(7)->name, "hub");
  EXPECT_EQ(m.find<Marker>(8), nullptr);
  EXPECT_EQ(m.find(kind_of<Marker>(), 7), &m.all<Marker>()[0]);
  EXPECT_EQ(m.count(kind_of<Part>()), 1u);
  EXPECT_EQ(label(m, kind_of<Marker>(), 7), "MARKER/7 'hub'");
  EXPECT_EQ(label(m, kind_of<Marker>(), 9), "MARKER/9");
}

TEST(Model, TheFirstOfARepeatedIdWins) {
  Model m;
  for (const char* name : {"first", "second"}) {
    Marker marker;
    marker.id = 1;
    marker.name = name;
    m.add(marker);
  }
  EXPECT_EQ(m.all<Marker>().size(), 2u);
  EXPECT_EQ(m.find<Marker>(1)->name, "first");
}

TEST(Model, TheLastOfASingleStatementCounts) {
  Model m;
  EXPECT_EQ(m.single<Accgrav>(), nullptr);
  m.add(Accgrav{}).kgrav = -1;
  m.add(Accgrav{}).kgrav = -2;
  EXPECT_EQ(m.single<Accgrav>()->kgrav, -2);
}

// --- the table ----------------------------------------------------------------------------------------------------

TEST(Schema, EveryEntryIsWellFormed) {
  std::set<std::string_view> keywords;
  for (const Schema& schema : all_schemas()) {
    EXPECT_TRUE(keywords.insert(schema.keyword).second) << schema.keyword;
    EXPECT_FALSE(schema.help.empty()) << schema.keyword;
    EXPECT_FALSE(schema.group.empty()) << schema.keyword;
    EXPECT_EQ(&schema_of(schema.kind), &schema) << schema.keyword;
    std::set<std::string_view> names;
    for (const Argument& a : schema.arguments) {
      const std::string who = std::string(schema.keyword) + " " + std::string(a.name);
      EXPECT_TRUE(names.insert(a.name).second) << who;
      EXPECT_FALSE(a.help.empty()) << who;
      EXPECT_LE(a.min_count, a.max_count) << who;
      const bool worded =
          a.kind == ValueKind::choice || a.kind == ValueKind::word || a.kind == ValueKind::words;
      EXPECT_EQ(worded, !a.words.empty()) << who;
      for (const double value : a.defaults) {
        if (!worded) {
          EXPECT_TRUE(a.range.contains(value)) << who << " default " << value;
          continue;
        }
        bool spelled = false;
        for (const Word& word : a.words) spelled = spelled || word.value == static_cast<int>(value);
        EXPECT_TRUE(spelled) << who << " default " << value;
      }
      if (a.kind == ValueKind::real || a.kind == ValueKind::integer || a.kind == ValueKind::choice ||
          a.kind == ValueKind::word) {
        EXPECT_LE(a.defaults.size(), 1u) << who;
      }
    }
    for (const Rule& rule : schema.rules) {
      EXPECT_GE(rule.names.size(), 2u) << schema.keyword;
      for (const std::string_view name : rule.names) {
        bool known = names.contains(name);
        for (const Argument& a : schema.arguments) {
          if (a.kind != ValueKind::choice) continue;
          for (const Word& word : a.words) known = known || word.name == name;
        }
        EXPECT_TRUE(known) << schema.keyword << ": rule names " << name;
      }
    }
  }
}

// Two arguments bound to one field would overwrite each other.
TEST(Schema, EveryArgumentHasItsOwnField) {
  test::RandomStatements random(11);
  for (const Schema& schema : all_schemas()) {
    for (const Argument& set : schema.arguments) {
      Command command(schema.kind);
      random.set(set, statement_of(command));
      for (const Argument& other : schema.arguments) {
        EXPECT_EQ(is_given(other, statement_of(command)), &other == &set)
            << schema.keyword << " " << set.name << " " << other.name;
      }
    }
  }
}

// --- defaults -----------------------------------------------------------------------------------------------------

TEST(Defaults, AreFilledInWhereNothingIsGiven) {
  const Part part = with_defaults(Part{});
  EXPECT_EQ(part.mass, 0);
  EXPECT_EQ(part.qg, (std::vector<double>{0, 0, 0}));
  EXPECT_FALSE(part.vx.has_value());  // "0, free to be adjusted" is not the same as 0
  Integrator given;
  given.error = 1e-7;
  const Integrator integrator = with_defaults(given);
  EXPECT_EQ(integrator.error, 1e-7);
  EXPECT_EQ(integrator.maxit, 10);
  EXPECT_EQ(integrator.method, static_cast<Integrator::Method>(formulas::index_of("GSTIFF")));
  EXPECT_FALSE(integrator.hmax.has_value());  // the output step: no number
}

// shared/adams-language.md, section 6, from the vendor's pages and logs.
TEST(Defaults, OfTheSolver) {
  const double degree = std::acos(-1.0) / 180;
  const auto equilibrium = with_defaults(Equilibrium{});
  EXPECT_DOUBLE_EQ(equilibrium.alimit.value(), 10 * degree);
  EXPECT_EQ(equilibrium.tlimit, 20);
  EXPECT_EQ(equilibrium.error, 1e-4);
  EXPECT_EQ(equilibrium.imbalance, 1e-4);
  EXPECT_EQ(equilibrium.maxit, 25);
  EXPECT_EQ(equilibrium.stability, 1e-5);
  const auto ic = with_defaults(InitialConditions{});
  EXPECT_EQ(ic.error, 1e-10);
  EXPECT_EQ(ic.maxit, 25);
  EXPECT_EQ(ic.tlimit, 1e10);
  EXPECT_DOUBLE_EQ(ic.alimit.value(), 30 * degree);
  EXPECT_EQ(ic.verror, 1e-4);
  const auto kinematics = with_defaults(Kinematics{});
  EXPECT_EQ(kinematics.error, 1e-10);  // the language's is 1e-4; here as good as after assembly
  EXPECT_EQ(kinematics.maxit, 25);
  const auto sensor = with_defaults(Sensor{});
  EXPECT_EQ(sensor.error, 1e-3);
  EXPECT_EQ(sensor.comparison, Sensor::Comparison::eq);
}

TEST(Defaults, NeverTouchWhatIsGiven) {
  for (const Schema& schema : all_schemas()) {
    Command before(schema.kind);
    test::RandomStatements(5).fill(schema, statement_of(before), true);
    Command after = before;
    apply_defaults(schema, statement_of(after));
    for (const Argument& a : schema.arguments) {
      if (is_given(a, statement_of(before))) {
        EXPECT_TRUE(test::same_field(a, statement_of(before), statement_of(after)))
            << schema.keyword << " " << a.name;
      } else if (a.kind != ValueKind::expression) {
        EXPECT_EQ(is_given(a, statement_of(after)), !a.defaults.empty()) << schema.keyword << " " << a.name;
      }
    }
  }
}

// --- validation of models built in C++ ------------------------------------------------------------------------------

std::string complaints(const Model& model) {
  core::Diagnostics diagnostics;
  validate(model, diagnostics);
  return core::render(diagnostics, core::SourceSet{});
}

TEST(Validate, BuiltModels) {
  struct Case {
    const char* what;
    void (*build)(Model&);
    const char* complaint;
  };
  const Case cases[] = {
      {"range", [](Model& m) { m.add(Part{}).mass = -1; }, "error: PART/0: MASS = -1 must be >= 0\n"},
      {"not a number", [](Model& m) { m.add(Part{}).mass = std::nan(""); },
       "error: PART/0: MASS = nan is not a finite number\n"},
      {"infinite", [](Model& m) { m.add(Part{}).vx = std::numeric_limits<double>::infinity(); },
       "error: PART/0: VX = inf is not a finite number\n"},
      {"length of a list",
       [](Model& m) {
         m.add(Part{}).qg = {1, 2};
       },
       "error: PART/0: QG needs exactly 3 values, found 2\n"},
      {"length out of several",
       [](Model& m) {
         Part& p = m.add(Part{});
         p.ip = {1, 2};
         p.cm = m.add(Marker{});
         m.all<Marker>()[0].part = p;
       },
       "error: PART/0: IP needs 3 or 6 values, found 2\n"},
      {"list of words",
       [](Model& m) {
         m.add(FlexBody{}).invariants = {Switch::on, Switch::off};
       },
       "error: FLEX_BODY/0: INVARIANTS needs exactly 9 values, found 2\n"},
      {"reference", [](Model& m) { m.add(Part{}).cm = 5; },
       "error: PART/0: CM: MARKER/5 is not in the model; it has no MARKER\n"},
      {"references",
       [](Model& m) {
         Variable& v = m.add(Variable{});
         v.id = 30;
         v.function = "1";
         m.add(Pinput{}).variables = {std::vector<int>{30, 31}};
       },
       "error: PINPUT/0: VARIABLES: VARIABLE/31 is not in the model; nearest: VARIABLE/30\n"},
      {"at most one",
       [](Model& m) {
         Part& p = m.add(Part{});
         p.ground = true;
         p.mass = 1;
       },
       "error: PART/0: GROUND and MASS are mutually exclusive; give one of GROUND or MASS\n"},
      {"single statement twice",
       [](Model& m) {
         m.add(Accgrav{}).kgrav = 1;
         m.add(Accgrav{}).kgrav = 1;
       },
       "warning: ACCGRAV: it is given more than once; only the last one counts\n"},
      {"nothing wrong", [](Model& m) { m.add(Part{}).ground = true; }, ""},
  };
  for (const Case& c : cases) {
    Model model;
    c.build(model);
    EXPECT_EQ(complaints(model), c.complaint) << c.what;
  }
}

TEST(Validate, RequiredArgumentsAreAskedForInEveryStatement) {
  for (const Schema& schema : all_schemas()) {
    if (schema.where == Where::command) continue;
    Model model;
    model.add(schema.kind, 1);
    const std::string found = complaints(model);
    for (const Argument& a : schema.arguments) {
      if (a.required && a.kind != ValueKind::choice) {
        EXPECT_NE(found.find(std::string(a.name) + " is missing"), std::string::npos)
            << schema.keyword << " " << a.name << "\n"
            << found;
      }
      if (a.required && a.kind == ValueKind::choice) {
        EXPECT_NE(found.find("its " + std::string(a.name) + " is missing"), std::string::npos)
            << schema.keyword << "\n"
            << found;
      }
    }
  }
}

TEST(Validate, ScriptsAgainstTheirModel) {
  const test::Read model = test::read_adm(test::small_model());
  const auto complaint = [&](const std::string& command) {
    test::Read script = test::read_acf("\n" + command + "\n");
    validate(script.script, model.model, script.diagnostics);
    return script.messages();
  };
  EXPECT_EQ(complaint("PART/2, MASS=3"), "");
  EXPECT_EQ(complaint("PART/3, LIST"), "");
  EXPECT_EQ(complaint("PART/3, MASS=3"),
            "run.acf:2:6: error: PART/3: there is none in the model to change; nearest: PART/2\n"
            "    PART/3, MASS=3\n"
            "         ^\n");
  EXPECT_NE(complaint("PART/2, MASS=-3").find("MASS = -3 must be >= 0"), std::string::npos);
  EXPECT_NE(complaint("PART/2, CM=77").find("CM: MARKER/77 is not in the model"), std::string::npos);
}

TEST(Validate, NearestIdPrefersASlipOfTheFinger) {
  Model m;
  for (const int id : {2202, 2000, 3, 2230}) {
    Marker marker;
    marker.id = id;
    m.add(marker);
  }
  EXPECT_EQ(nearest_id(m, kind_of<Marker>(), 2203), "; nearest: MARKER/2202");
  EXPECT_EQ(nearest_id(m, kind_of<Marker>(), 2320), "; nearest: MARKER/2230");
  EXPECT_EQ(nearest_id(m, kind_of<Joint>(), 1), "; it has no JOINT");
}

}  // namespace
}  // namespace trunnion::model
