#include "apps/process.hpp"

#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trunnion::apps {

Ended run_program(std::initializer_list<const char*> words) {
  std::vector<char*> arguments;
  for (const char* word : words) arguments.push_back(const_cast<char*>(word));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
    return Ended::not_there;
  int status = 0;
  const bool well = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return well ? Ended::well : Ended::badly;
}

}  // namespace trunnion::apps
