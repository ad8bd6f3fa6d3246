#define _GNU_SOURCE
#include "cworker.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const char *build_commit(void) { return BUILD_COMMIT; }

int64_t wall_clock_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int memory_file(const void *bytes, size_t count) {
  int file = memfd_create("message", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (write(file, bytes, count) == (ssize_t)count && lseek(file, 0, SEEK_SET) == 0) return file;
  close(file);
  return -1;
}

int private_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

int process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }
