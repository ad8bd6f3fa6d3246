#define _GNU_SOURCE
#include "cworker.h"

#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

const char *build_commit(void) { return BUILD_COMMIT; }

int64_t wall_clock_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t monotonic_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int open_datagram_socket(int patience_milliseconds) {
  int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (file < 0) return -1;
  struct timeval patience = {patience_milliseconds / 1000, patience_milliseconds % 1000 * 1000};
  if (setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0) return file;
  close(file);
  return -1;
}

int memory_file(const void *bytes, size_t count) {
  int file = memfd_create("message", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (write(file, bytes, count) == (ssize_t)count && lseek(file, 0, SEEK_SET) == 0) return file;
  close(file);
  return -1;
}

int unread_bytes(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

int private_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return 0;
  close(ends[0]);
  close(ends[1]);
  return -1;
}

int process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void limit_waits(int socket, int seconds) {
  struct timeval limit = {seconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

void forbid_core_dumps(void) {
  // A program that collects dumps is not held to the limit, and a child is not to the flag.
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int terminal_columns(int terminal) {
  struct winsize size;
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
