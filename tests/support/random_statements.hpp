#pragma once
// Random statements, models and scripts through the schema table: any statement of the language, any of its
// arguments, awkward numbers and texts. A new statement is covered by being in the table.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "model/model.hpp"

namespace trunnion::test {

class RandomStatements {
 public:
  explicit RandomStatements(std::uint64_t seed) : engine_(seed) {}

  model::Model model() {
    model::Model m;
    m.title = pick(kTitles);
    const int count = integer(1, 25);
    for (int i = 0; i < count; ++i) {
      const model::Schema& schema = any_schema(model::Where::dataset);
      fill(schema, m.add(schema.kind, schema.has_id ? 100 + i : 0), schema.where != model::Where::command);
    }
    comments(m.closing_comments);
    return m;
  }

  model::Script script() {
    model::Script s;
    if (coin()) {
      s.header_lines = true;
      s.model_file = "some model.adm";
      if (coin()) s.output_prefix = "out";
    }
    const int count = integer(1, 15);
    for (int i = 0; i < count; ++i) {
      const model::Schema& schema = any_schema(model::Where::command);
      if (schema.keyword == "STOP") continue;  // ends the reading
      model::Command command(schema.kind);
      model::Statement& statement = model::statement_of(command);
      statement.id = schema.has_id ? integer(1, 99999999) : 0;
      fill(schema, statement, false);
      // What reading makes of FILE.
      if (const auto* file = command.as<model::File>()) {
        if (file->model && !s.model_file) s.model_file = file->model;
        if (file->output_prefix && !s.output_prefix) s.output_prefix = file->output_prefix;
      }
      s.commands.push_back(std::move(command));
    }
    comments(s.closing_comments);
    return s;
  }

  // With `whole`, at least the required arguments.
  void fill(const model::Schema& schema, model::Statement& s, bool whole) {
    if (coin()) s.name = pick(kNames);
    comments(s.comments);
    const double density = std::uniform_real_distribution<>(0, 1)(engine_);
    for (const model::Argument& a : schema.arguments) {
      if ((whole && a.required) || std::uniform_real_distribution<>(0, 1)(engine_) < density) set(a, s);
    }
  }

  // One argument.
  void set(const model::Argument& a, model::Statement& s) {
    using namespace model;
    const auto id = [&] { return integer(0, 2147483647); };
    const auto real = [&] { return number(); };
    switch (a.kind) {
      case ValueKind::flag: field<bool>(a, s) = true; break;
      case ValueKind::choice:
      case ValueKind::word: field<ChoiceBase>(a, s).index = word(a); break;
      case ValueKind::words:
        fill_list(field<ChoiceListBase>(a, s).indices, length(a), [&] { return word(a); });
        break;
      case ValueKind::real: field<std::optional<double>>(a, s) = number(); break;
      case ValueKind::integer: field<std::optional<int>>(a, s) = integer(-2147483647, 2147483647); break;
      case ValueKind::reals: fill_list(field<std::vector<double>>(a, s), length(a), real); break;
      case ValueKind::integers:
        fill_list(field<std::vector<int>>(a, s), length(a), [&] { return integer(-99, 2147483647); });
        break;
      case ValueKind::rows:
        field<Rows>(a, s).rows.resize(static_cast<std::size_t>(integer(1, 3)));
        for (auto& row : field<Rows>(a, s).rows) fill_list(row, length(a), real);
        break;
      case ValueKind::reference: field<RefBase>(a, s).id = id(); break;
      case ValueKind::references: fill_list(field<RefListBase>(a, s).ids, length(a), id); break;
      case ValueKind::text:
        field<std::optional<std::string>>(a, s) = coin() && coin() ? std::string() : pick(kTexts);
        break;
      case ValueKind::texts:
        fill_list(field<std::vector<std::string>>(a, s), length(a),
                  [&] { return coin() && coin() ? std::string() : pick(kTexts); });
        break;
      case ValueKind::expression: field<Expression>(a, s) = pick(kExpressions); break;
    }
  }

  double number() {
    switch (integer(0, 5)) {
      case 0: return integer(-1000, 1000);
      case 1: return integer(-3600, 3600) / 10.0;
      case 2: return -0.0;
      case 3: return std::ldexp(std::uniform_real_distribution<>(-1, 1)(engine_), integer(-1060, 1020));
      case 4: return integer(-720, 720) * (std::acos(-1.0) / 180);  // whole degrees
      default: return std::uniform_real_distribution<>(-10, 10)(engine_);
    }
  }
  int integer(int low, int high) { return std::uniform_int_distribution<>(low, high)(engine_); }
  bool coin() { return integer(0, 1) == 1; }

 private:
  static constexpr const char* kTitles[] = {"", "a title", "ADAMS/View model name: x", "! NREL style",
                                            "caf\xe9 = \xc3\xa9"};
  static constexpr const char* kNames[] = {"hub",  "Part.With.Dots", "two words",
                                           "it's", "na\xefve",       "\xc3\xa9t\xc3\xa9"};
  static constexpr const char* kComments[] = {"",         " plain",          "! doubled", " a, b; c & d",
                                              "\tx\"y\"", " PART/1, GROUND", " caf\xe9"};
  static constexpr const char* kTexts[] = {"plain",
                                           "two words",
                                           "a, b",
                                           "semi;colon",
                                           "and & more",
                                           "bang!",
                                           "lib::sub",
                                           "C:\\dir\\file.txt",
                                           "  blanks  ",
                                           "caf\xe9",
                                           "\xc3\xbcml\xc3\xa4ut",
                                           "back\\",
                                           "x=1",
                                           "FILE=x",
                                           "tab\there",
                                           "(",
                                           ",",
                                           "\\",
                                           "&",
                                           "it's",
                                           "1.5D",
                                           "END",
                                           "a/b"};
  static constexpr const char* kExpressions[] = {
      "0",
      "-TIME",
      "1.5D",
      "STEP(TIME,0,0,1,1)",
      "-1.0E-05*DM(1,2)**2-3*VR(1,2)",
      "IF(MODE-5:0,-DIF(101),2)",
      "USER(7,8,9.0E+03,-1)",
      "2**-3",
      "SIN(2*PI*TIME+30D)/(1+TIME**2)",
      "VARVAL(12)-VARVAL(13)+0.5",
      ("-500.25*(DX(100001,200002,300003)-12.5)-17.125*VX(100001,200002,300003,400004)+IMPACT(DZ(1,2,3),VZ(1,"
       "2,3),10.0,1.0E+08,2.2,1.0E+04,0.1)"),
      "VARVAL(1)*VARVAL(2)*VARVAL(3)*VARVAL(4)*VARVAL(5)*VARVAL(6)*VARVAL(7)*VARVAL(8)*VARVAL(9)/VARVAL(10)"};

  template <std::size_t N> const char* pick(const char* const (&list)[N]) {
    return list[static_cast<std::size_t>(integer(0, N - 1))];
  }

  void comments(std::vector<std::string>& out) {
    for (int i = integer(-4, 2); i > 0; --i) out.emplace_back(pick(kComments));
  }

  const model::Schema& any_schema(model::Where context) {
    const auto all = model::all_schemas();
    for (;;) {
      const model::Schema& schema =
          all[static_cast<std::size_t>(integer(0, static_cast<int>(all.size()) - 1))];
      const auto wrong = context == model::Where::dataset ? model::Where::command : model::Where::dataset;
      if (schema.where != wrong) return schema;
    }
  }

  int word(const model::Argument& a) {
    return a.words[static_cast<std::size_t>(integer(0, static_cast<int>(a.words.size()) - 1))].value;
  }
  std::size_t length(const model::Argument& a) {
    if (!a.counts.empty())
      return a.counts[static_cast<std::size_t>(integer(0, static_cast<int>(a.counts.size()) - 1))];
    return static_cast<std::size_t>(
        integer(static_cast<int>(a.min_count),
                static_cast<int>(std::min<std::size_t>(a.max_count, a.min_count + 30))));
  }
  template <class Make> auto list(const model::Argument& a, Make make) {
    std::vector<decltype(make())> out(length(a));
    std::generate(out.begin(), out.end(), make);
    return out;
  }
  template <class Value, class Make> void fill_list(std::vector<Value>& out, std::size_t size, Make make) {
    out.resize(size);
    std::generate(out.begin(), out.end(), make);
  }

  std::mt19937_64 engine_;
};

}  // namespace trunnion::test
