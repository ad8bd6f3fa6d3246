#include "cworker.h"

#include <time.h>

const char *build_commit(void) { return BUILD_COMMIT; }

int64_t wall_clock_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
