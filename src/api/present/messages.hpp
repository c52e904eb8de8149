#pragma once
// The message file PREFIX.msg: the model's title, the commands as they are carried out, everything that was said, and for
// a dynamic simulation a table of how it goes, in the columns that programs which read such files look for.

#include <fstream>
#include <string>

namespace trunnion::api {

class MessageFile {
 public:
  void open(const std::string& path, const std::string& title);
  void line(const std::string& text);
  void command(const std::string& text);

  // One row for the start and one for each tenth of the time.
  void begin_table(double begin, double end);
  void step(double t, double h, long iterations, long steps, int order);

 private:
  void row(double t, double h, long iterations, long steps, int order);

  std::ofstream file_;
  double begin_ = 0, due_ = 0, every_ = 0;
  bool begun_ = false;  // the table has its first row
};

}  // namespace trunnion::api
