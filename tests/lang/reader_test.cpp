#include "lang/reader.hpp"

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/writer.hpp"
#include "support/reading.hpp"

namespace trunnion::lang {
namespace {

using namespace model;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kDegree = std::numbers::pi / 180;

// Reads one statement that must be free of errors and warnings.
Model statements(const std::string& text) {
  test::Read read = test::read_adm("title\n" + text + "\nEND\n");
  EXPECT_EQ(read.messages(), "") << text;
  return std::move(read.model);
}
template <class T> T statement(const std::string& text) {
  Model model = statements(text);
  EXPECT_EQ(model.all<T>().size(), 1u) << text;
  return model.all<T>().empty() ? T{} : model.all<T>()[0];
}

TEST(ReadModel, TitleForms) {
  struct Case {
    const char *text, *title;
  };
  const Case cases[] = {
      {"ADAMS/View model name: x\nEND\n", "ADAMS/View model name: x"},
      {"! NREL writes its titles so\nEND\n", "! NREL writes its titles so"},
      {"\nEND\n", ""},
      {"  blanks around \r\nEND\r\n", "blanks around"},
      {"\xef\xbb\xbfwith a byte order mark\nEND\n", "with a byte order mark"},
      {"caf\xe9\nEND", "caf\xe9"},
  };
  for (const Case& c : cases) {
    const test::Read read = test::read_adm(c.text);
    EXPECT_EQ(read.messages(), "") << c.text;
    EXPECT_EQ(read.model.title, c.title);
  }
}

TEST(ReadModel, MissingTitleIsSaidAndNothingIsLost) {
  const test::Read read = test::read_adm("PART/1, GROUND\nEND\n");
  EXPECT_EQ(read.messages(),
            "model.adm:1:1: warning: the first line of a model should be its title; this one is read as a "
            "statement\n"
            "    PART/1, GROUND\n"
            "    ^~~~~~~~~~~~~~\n"
            "    try: put a title line above it\n");
  EXPECT_EQ(read.model.all<Part>().size(), 1u);
}

TEST(ReadModel, EveryKindOfValue) {
  const auto part = statement<Part>(
      "! adams_view_name='crank'\n"
      "PART/0102, MASS=2.5, CM=7, IP = 1,2,3 , REULER=90D,0.5,-30D, exact=x:PSI, VX=-1E-003, MATERIAL=steel");
  EXPECT_EQ(part.id, 102);
  EXPECT_EQ(part.name, "crank");
  EXPECT_EQ(part.mass, 2.5);
  EXPECT_EQ(part.cm.id, 7);
  EXPECT_THAT(part.ip, ElementsAre(1, 2, 3));
  EXPECT_THAT(part.reuler, ElementsAre(90 * kDegree, 0.5, -30 * kDegree));
  EXPECT_TRUE(part.exact.has(Coordinate::x) && part.exact.has(Coordinate::psi) &&
              part.exact.indices.size() == 2);
  EXPECT_EQ(part.vx, -1e-3);
  EXPECT_EQ(part.material, "steel");
  EXPECT_FALSE(part.ground);
  EXPECT_FALSE(part.wx.has_value());
  const auto spline = statement<Spline>("SPLINE/1, X=1,2,3,4, Y=0,1,2,3,4\n, Y=1,5,6,7,8, LINEAR");
  EXPECT_THAT(spline.y.rows, ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(1, 5, 6, 7, 8)));
  EXPECT_TRUE(spline.linear_extrapolate);
  const auto request = statement<Request>("REQUEST/3, D, I=1, J=2, C=DISPLACEMENT: X Y Z");
  EXPECT_EQ(request.comment, "DISPLACEMENT: X Y Z");
}

TEST(ReadModel, ListsInEverySeparatorForm) {
  const char* forms[] = {
      "ARRAY/1, IC, SIZE=4, NUMBERS=1,2,3,4",
      "ARRAY/1, IC, SIZE=4, NUMBERS = 1 , 2 ,3, 4",
      "ARRAY/1\n, IC\n, SIZE=4\n, NUMBERS=1,2\n, 3,4",
      "ARRAY/1, IC, SIZE=4, NUMBERS=1,\n, 2,\n,3,\n, 4",
      "ARRAY/1, IC, SIZE=4, NUMBERS =\n, 1, 2, 3, 4",
      "ARRAY/1, IC, SIZE=4, NUMBERS=1,2,\n3,4",
      "ARRAY/1, IC, SIZE=4, NUMBERS=1,2 &\n, 3,4",
      "ARRAY/1, IC, SIZE=4, NUMBERS=1,2, &\n 3,4",
      "ARRAY/1, IC, NUMBERS=1,2,3,4, SIZE=4",
      "ARRAY/1, IC, NUMBERS=1,2\n! between\n, 3,4\\\n, SIZE=4",
      "ARRAY/1, NUMBERS=1,2,3,4\\SIZE=4, IC",
      "ARRAY / 1, IC, SIZE=4, NUMBERS=1,2,3,4",
      "ARRAY/1,\n IC, SIZE\t=\t4, NUMBERS=1\t,2,3,4",
      "ARRAY/\n, 1, IC, SIZE=4, NUMBERS=1,2,3,4",
  };
  for (const char* form : forms) {
    const auto array = statement<Array>(form);
    EXPECT_EQ(array.id, 1) << form;
    EXPECT_EQ(array.type, Array::Type::ic) << form;
    EXPECT_EQ(array.size, 4) << form;
    EXPECT_THAT(array.numbers, ElementsAre(1, 2, 3, 4)) << form;
  }
}

TEST(ReadModel, WhereAnExpressionEnds) {
  struct Case {
    const char* what;
    const char* text;
    const char* function;
    const char* routine;  // nullptr: not given
  };
  const Case cases[] = {
      {"at the end", "VARIABLE/1, FUNCTION = 1 + TIME", "1+TIME", nullptr},
      {"at a backslash", "VARIABLE/1, FUNCTION=USER(1,2)\\, ROUTINE=lib::f", "USER(1,2)", "lib::f"},
      {"at a backslash and line break", "VARIABLE/1, FUNCTION=USER(1,2)\\\n, ROUTINE=lib::f", "USER(1,2)",
       "lib::f"},
      {"at a backslash without comma", "VARIABLE/1, FUNCTION=USER(1)\\ROUTINE=f", "USER(1)", "f"},
      {"without backslash, before NAME=", "VARIABLE/1, FUNCTION=USER(1,2), ROUTINE=lib::f", "USER(1,2)",
       "lib::f"},
      {"without backslash, on the next line", "VARIABLE/1, FUNCTION=USER(1,2)\n, ROUTINE=lib::f", "USER(1,2)",
       "lib::f"},
      {"an abbreviated NAME=", "VARIABLE/1, FU=USER(1,2), ROUT = f", "USER(1,2)", "f"},
      {"commas in parentheses do not end it", "VARIABLE/1, FUNCTION=STEP(TIME,0,0,1,1)", "STEP(TIME,0,0,1,1)",
       nullptr},
      {"a leading comma inside is a mark", "VARIABLE/1, FUNCTION=STEP(TIME,\n,0,0,1,\n,1)",
       "STEP(TIME,0,0,1,1)", nullptr},
      {"a leading comma before an operator", "VARIABLE/1, FUNCTION=TIME\n, - 1.0*VR(2,3)", "TIME-1.0*VR(2,3)",
       nullptr},
      {"a leading comma after an operator", "VARIABLE/1, FUNCTION=TIME -\n, IC", "TIME-IC", nullptr},
      {"a leading comma right after =", "VARIABLE/1, FUNCTION =\n, 5*TIME", "5*TIME", nullptr},
      {"& inside", "VARIABLE/1, FUNCTION=1+ &\n2", "1+2", nullptr},
      {"IF with colon", "VARIABLE/1, FUNCTION=IF(TIME-1:\n,0,\n,1,2)", "IF(TIME-1:0,1,2)", nullptr},
      {"vector brackets", "VARIABLE/1, FUNCTION=[1,2,3]*[4,5,6]", "[1,2,3]*[4,5,6]", nullptr},
  };
  for (const Case& c : cases) {
    const auto variable = statement<Variable>(c.text);
    EXPECT_EQ(variable.function.text, c.function) << c.what;
    EXPECT_EQ(variable.routine.has_value(), c.routine != nullptr) << c.what;
    EXPECT_EQ(variable.routine.value_or(""), c.routine ? c.routine : "") << c.what;
  }
}

TEST(ReadModel, AFlagAfterAnExpression) {
  for (const char* text :
       {"DIFF/1, IC=2, FUNCTION=-DIF(1)\\, STATIC_HOLD", "DIFF/1, IC=2, FUNCTION=-DIF(1)\n, STATIC_HOLD",
        "DIFF/1, IC=2, FUNCTION=-DIF(1)\\STATIC_HOLD", "DIFF/1, FUNCTION=-DIF(1), IC=2, STATIC_HOLD"}) {
    const auto diff = statement<Diff>(text);
    EXPECT_EQ(diff.function.text, "-DIF(1)") << text;
    EXPECT_TRUE(diff.static_hold) << text;
    EXPECT_THAT(diff.ic, ElementsAre(2)) << text;
  }
  // A function's name at the front of a line is no flag.
  EXPECT_EQ(statement<Diff>("DIFF/1, FUNCTION=-DIF(1)*\n, IMPLICIT").function.text, "-DIF(1)*IMPLICIT");
}

TEST(ReadModel, SeveralExpressionsInOneStatement) {
  const auto request = statement<Request>(
      "REQUEST/7, F2=DX(1,2)\\F3=DY(1,2)\\F4=0\\\n, F6=ORIENT(27,4,0201,0101),C=EULER PARAMETERS");
  EXPECT_EQ(request.f2.text, "DX(1,2)");
  EXPECT_EQ(request.f3.text, "DY(1,2)");
  EXPECT_EQ(request.f4.text, "0");
  EXPECT_EQ(request.f6.text, "ORIENT(27,4,0201,0101)");
  EXPECT_EQ(request.comment, "EULER PARAMETERS");
}

TEST(ReadModel, AnUnbalancedParenthesisSpoilsItsArgumentOnly) {
  const auto variable = statement<Variable>("VARIABLE/1, FUNCTION=STEP(TIME,(0,0,1,1), IC=3, ROUTINE=f");
  EXPECT_EQ(variable.function.text, "STEP(TIME,(0,0,1,1)");
  EXPECT_EQ(variable.ic, 3);
  EXPECT_EQ(variable.routine, "f");
}

TEST(ReadModel, Texts) {
  struct Case {
    const char* what;
    std::string text;
    const char* value;
  };
  const Case cases[] = {
      {"to the end", "STRING/1, STRING = tire.tir", "tire.tir"},
      {"with blanks inside", "STRING/1, STRING=a  b c ", "a  b c"},
      {"in quotes", "STRING/1, STRING=\"a, b; c & d! \"", "a, b; c & d! "},
      {"empty quotes", "STRING/1, STRING=\"\"", ""},
      {"nothing", "STRING/1, STRING=", ""},
      {"latin-1", "STRING/1, STRING=caf\xe9", "caf\xe9"},
      {"a Windows path", "STRING/1, STRING=C:\\temp\\x.tir", "C:\\temp\\x.tir"},
      {"closed by a backslash", "STRING/1, STRING=abc\\", "abc"},
      {"an apostrophe", "STRING/1, STRING=it's", "it's"},
      {"over two lines", "STRING/1, STRING=\n, abc", "abc"},
      {"a comment behind", "STRING/1, STRING=abc ! note", "abc"},
  };
  for (const Case& c : cases) EXPECT_EQ(statement<String>(c.text).string, c.value) << c.what;
}

TEST(ReadModel, NulBytesInTextsAreBlanksAndSaid) {
  const test::Read read = test::read_adm("t\nSTRING/1, STRING=a\0\0b\0\nEND\n"s);
  EXPECT_EQ(read.diagnostics.error_count(), 0u);
  EXPECT_EQ(read.messages(),
            "model.adm:2:18: warning: STRING/1: NUL bytes in the text were read as blanks\n"
            "    STRING/1, STRING=a··b·\n"
            "                     ^~~~~\n");
  EXPECT_EQ(read.model.all<String>()[0].string, "a  b");
}

TEST(ReadModel, ListsOfTexts) {
  const auto request = statement<Request>(
      "REQUEST/1, F2=1\\, CNAMES=\"\",\"X\",\"a, b\",\n, \"last\", CUNITS=\"length\", RESULTS_NAME=r");
  EXPECT_THAT(request.cnames, ElementsAre("", "X", "a, b", "last"));
  EXPECT_THAT(request.cunits, ElementsAre("length"));
  EXPECT_EQ(request.results_name, "r");
  const auto gse = statement<Gse>("GSE/1, INTERFACE=a::b, c::d\n, e::f, NO=1, U=1, Y=1, FUNCTION=USER(1)");
  EXPECT_THAT(gse.interface, ElementsAre("a::b", "c::d", "e::f"));
  EXPECT_EQ(gse.no, 1);
}

TEST(ReadModel, WordsAndAbbreviations) {
  const auto units = statement<Units>("UNI/FOR=NEW, MASS=KIL, LENGTH=MILLIM, TIME=SEC");
  EXPECT_EQ(units.force, Units::Force::newton);
  EXPECT_EQ(units.length, Units::Length::millimeter);
  EXPECT_EQ(statement<Joint>("j/1, re, i=1, j=2").type, Joint::Type::revolute);
  EXPECT_EQ(statement<Sforce>("SFORCE/1, ROTATION, I=1, J=2, FU=0").id, 1);
  const auto coupler = statement<Coupler>("COUPLER/1, JOINTS=1,2, TYPE=T:R, SCALES=1,2");
  EXPECT_THAT(coupler.type.indices,
              ElementsAre(static_cast<int>(Freedom::translation), static_cast<int>(Freedom::rotation)));
}

TEST(ReadModel, OrderCommentsAndNamesAreKept) {
  const Model model = statements(
      "! about b\nMARKER/2, PART=1\n! adams_view_name='g'\nPART/1, GROUND ! inline\nMARKER/1, PART=1\n! the "
      "end");
  ASSERT_EQ(model.order.size(), 3u);
  EXPECT_EQ(model.at(model.order[0]).id, 2);
  EXPECT_EQ(model.at(model.order[2]).id, 1);
  EXPECT_THAT(model.at(model.order[0]).comments, ElementsAre(" about b"));
  EXPECT_THAT(model.at(model.order[1]).comments, ElementsAre(" inline"));
  EXPECT_EQ(model.at(model.order[1]).name, "g");
  EXPECT_THAT(model.closing_comments, ElementsAre(" the end"));
}

TEST(ReadModel, CommentsAfterTheEndAreKept) {
  const test::Read model = test::read_adm("t\nPART/1, GROUND\n! before\nEND\n! after\n");
  EXPECT_EQ(model.messages(), "");
  EXPECT_THAT(model.model.closing_comments, ElementsAre(" before", " after"));
  const test::Read script = test::read_acf("\nstop\n! after\n");
  EXPECT_EQ(script.messages(), "");
  EXPECT_THAT(script.script.closing_comments, ElementsAre(" after"));
}

TEST(ReadModel, WindowsAndUnixLineEndsGiveTheSame) {
  std::string text = test::small_model("STRING/1, STRING=abc\nVARIABLE/1, FUNCTION=1+\n, TIME\n");
  const std::string unix_text = write_model(test::read_adm(text).model);
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(write_model(test::read_adm(windows).model), unix_text);
  for (char& c : text) {
    if (c == ' ') c = '\t';
  }
  EXPECT_EQ(write_model(test::read_adm(text).model), unix_text);
}

// --- scripts ------------------------------------------------------------------------------------------------------

TEST(ReadScript, HeaderForms) {
  struct Case {
    const char* what;
    const char* text;
    bool header;
    const char *model, *prefix;  // nullptr: none
    std::size_t commands;
  };
  const Case cases[] = {
      {"two names", "model.adm\nout\nSIM/STAT\nSTOP", true, "model.adm", "out", 2},
      {"two names, CRLF", "my model\r\nout\r\nstop\r\n", true, "my model", "out", 1},
      {"a name and an empty line", "model\n\nstop\n", true, "model", nullptr, 1},
      {"a name, then a command", "model\nsim/stat\nstop\n", true, "model", nullptr, 2},
      {"a name, then a comment", "model\n! note\nstop\n", true, "model", nullptr, 1},
      {"an empty line and file/model", "\nfile/model=m.adm\nstop\n", false, "m.adm", nullptr, 2},
      {"file with prefix", "\nFILE/MODEL=m, OUTPUT_PREFIX=p\nstop\n", false, "m", "p", 2},
      {"a comment first", "! c\nfile/model=m\nstop\n", false, "m", nullptr, 2},
      {"a command first", "sim/stat\nstop\n", false, nullptr, nullptr, 2},
      {"only STOP", "STOP", false, nullptr, nullptr, 1},
      {"a Windows path", "C:\\models\\m.adm\nout\nstop\n", true, "C:\\models\\m.adm", "out", 1},
      {"a Unix path", "/home/me/m.adm\nout\nstop\n", true, "/home/me/m.adm", "out", 1},
  };
  for (const Case& c : cases) {
    const test::Read read = test::read_acf(c.text);
    EXPECT_EQ(read.messages(), "") << c.what;
    EXPECT_EQ(read.script.header_lines, c.header) << c.what;
    EXPECT_EQ(read.script.model_file, c.model ? std::optional<std::string>(c.model) : std::nullopt) << c.what;
    EXPECT_EQ(read.script.output_prefix, c.prefix ? std::optional<std::string>(c.prefix) : std::nullopt)
        << c.what;
    EXPECT_EQ(read.script.commands.size(), c.commands) << c.what;
  }
}

// A misspelt command is no name of a model: it would not be carried out, without a word.
TEST(ReadScript, AMisspeltFirstCommandIsAnError) {
  EXPECT_THAT(test::read_acf("INTEGRATR/GSTIFF, ERROR=1E-6\nSTOP\n").messages(),
              HasSubstr("INTEGRATR is not a command"));
  EXPECT_THAT(test::read_acf("model\nSIMUALTE/DYNAMICS, END=1\nSTOP\n").messages(),
              HasSubstr("SIMUALTE is not a command"));
}

TEST(ReadScript, ACommentUnderTheModelNameIsKept) {
  const test::Read read = test::read_acf("model\n! note\nstop\n");
  ASSERT_EQ(read.script.commands.size(), 1u);
  EXPECT_THAT(statement_of(read.script.commands[0]).comments, ElementsAre(" note"));
}

TEST(ReadScript, CommandsWithOnlyTheGivenFieldsSet) {
  const test::Read read = test::read_acf(
      "\n"
      "var/7, fun=2*TIME\n"
      "PART/2, MASS=5\n"
      "MARKER/3, QP=1,2,3\n"
      "accg/kgrav=0\n"
      "SIMULATE/DYNAMIC, &\n  END=1.0, STEPS=100\n"
      "deact/joint, id=1,2,3\n"
      "ACTIVATE/MOTION, RANGE=5,9\n"
      "int/gstiff, err=1e-4, hmax=1e-3\n"
      "equil/alim=2.0D\n"
      "stop\n");
  ASSERT_EQ(read.messages(), "");
  const auto& c = read.script.commands;
  ASSERT_EQ(c.size(), 10u);
  const auto only = [&](std::size_t i, std::initializer_list<std::string_view> names) {
    const Schema& schema = schema_of(kind_of(c[i]));
    std::vector<std::string_view> given;
    for (const Argument& a : schema.arguments) {
      if (is_given(a, statement_of(c[i]))) given.push_back(a.name);
    }
    EXPECT_THAT(given, testing::UnorderedElementsAreArray(names)) << schema.keyword;
  };
  only(0, {"FUNCTION"});
  only(1, {"MASS"});
  only(2, {"QP"});
  only(3, {"KGRAV"});
  only(4, {"type", "END", "STEPS"});
  only(9, {});
  EXPECT_EQ((*c[0].as<Variable>()).id, 7);
  EXPECT_EQ((*c[0].as<Variable>()).function.text, "2*TIME");
  EXPECT_EQ((*c[4].as<Simulate>()).type, Simulate::Type::dynamics);
  EXPECT_EQ((*c[4].as<Simulate>()).steps, 100);
  EXPECT_THAT((*c[5].as<Deactivate>()).ids, ElementsAre(1, 2, 3));
  EXPECT_THAT((*c[6].as<Activate>()).range, ElementsAre(5, 9));
  EXPECT_EQ((*c[7].as<Integrator>()).hmax, 1e-3);
  EXPECT_EQ((*c[8].as<Equilibrium>()).alimit, 2 * kDegree);
}

TEST(ReadScript, ListForms) {
  const test::Read read = test::read_acf("\nequil/list\ninte/LIST\nPART/3, LIST\njoint/list\n");
  ASSERT_EQ(read.messages(), "");
  ASSERT_EQ(read.script.commands.size(), 4u);
  for (const Command& command : read.script.commands) EXPECT_TRUE(statement_of(command).list);
  EXPECT_EQ(statement_of(read.script.commands[2]).id, 3);
}

TEST(ReadScript, FormsSeenInLogs) {
  for (const char* line :
       {"simulate/initial_conditions", "FILE/COMMAND=x.acf", "FILE/MODEL=bearing.adm, OUTPUT_PREFIX=sim_std",
        "LINEAR/EIGENSOL, RM=366", "sho stat=sim", "sho/stat=sim",
        "RELOAD/SYSTEM, FILE=x.sav, output_prefix=y", "rel/system, file=x.sav, out=y",
        "save/system, file=x.sav", "simulate/transient, dur=1, dtout=.1", "simulate/statics, end=1, steps=10",
        "DEBUG/EPRINT", "ENVIRONMENT/NAME=A, VALUE=b", "INFO/D, I=1, J=2"}) {
    const test::Read read = test::read_acf(std::string("\n") + line + "\nstop\n");
    EXPECT_EQ(read.messages(), "") << line;
    EXPECT_EQ(read.script.commands.size(), 2u) << line;
  }
}

TEST(ReadScript, WhatFollowsStopIsSaid) {
  const test::Read read = test::read_acf("\nsim/stat\nstop\nsim/dyn, end=1, steps=2\n");
  EXPECT_EQ(read.messages(),
            "run.acf:4:1: warning: text after STOP is not read\n"
            "    sim/dyn, end=1, steps=2\n"
            "    ^~~~~~~~~~~~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace trunnion::lang
