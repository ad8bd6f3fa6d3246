#define _GNU_SOURCE
#include "command_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The guard is a fork of a process with many threads, so all of this calls what a signal handler may, and no more.

int64_t boot_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

const char *signal_name(int number) { return sigabbrev_np(number); }

static int64_t earlier(int64_t one, int64_t other) { return one < other ? one : other; }

static void report(int reports, int what, int value, int why) {
  struct guard_report report = {what, value, why};
  while (write(reports, &report, sizeof report) < 0 && errno == EINTR) {}
}

// The program, until it is one.

static int limit(int resource, uint64_t most) {
  struct rlimit limit = {most, most};
  return setrlimit(resource, &limit);
}

static int set_limits(const struct guarded_command *command) {
  if (limit(RLIMIT_CORE, 0) != 0) return -1;
  if (command->files != 0 && limit(RLIMIT_NOFILE, command->files) != 0) return -1;
  return command->memory != 0 ? limit(RLIMIT_AS, command->memory) : 0;
}

// By system calls: those of the library would ask the threads that only the parent has.
static int become_user(const struct guarded_command *command) {
  if (command->changes_user) {
    gid_t group = command->group;
    if (syscall(SYS_setgroups, command->group_count, command->groups) != 0) return -1;
    if (syscall(SYS_setresgid, group, group, group) != 0) return -1;
    if (syscall(SYS_setresuid, command->user, command->user, command->user) != 0) return -1;
  }
  // Or a program of another user's rights could not be killed.
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static void use_default_signals(void) {
  struct sigaction ordinary = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &ordinary, NULL);
}

static int moved_out_of_the_way(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 16); }

static _Noreturn void become_program(const struct guarded_command *command, pid_t guard) {
  setsid();
  use_default_signals();
  int reports = moved_out_of_the_way(command->reports);
  int output = moved_out_of_the_way(command->output);
  int errors = moved_out_of_the_way(command->errors);
  int progress = moved_out_of_the_way(command->progress);
  int input = moved_out_of_the_way(open("/dev/null", O_RDONLY));
  dup2(input, 0);
  dup2(output, 1);
  dup2(errors, 2);
  dup2(progress, 3);
  close_range(4, ~0U, CLOSE_RANGE_CLOEXEC);
  int step = guard_limits;
  if (set_limits(command) == 0) {
    step = guard_user;
    if (become_user(command) == 0) {
      // Whoever kills the guard ends the program. A change of user would undo this, so it comes behind it.
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      if (getppid() != guard) _exit(0);
      step = guard_folder;
      if (chdir(command->folder) == 0) {
        step = guard_program;
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(command->words[0], command->words, command->environment);
      }
    }
  }
  report(reports, guard_unstarted, errno, step);
  _exit(127);
}

// The guard.

struct guard {
  const struct guarded_command *command;
  pid_t program;
  int ends;
  int timer;
  int64_t deadline;
  int64_t kill_at;
  int why;
};

static void close_all_but(int *files, size_t count) {
  for (size_t one = 1; one < count; one++)
    for (size_t other = one; other > 0 && files[other - 1] > files[other]; other--) {
      int file = files[other];
      files[other] = files[other - 1];
      files[other - 1] = file;
    }
  unsigned int next = 0;
  for (size_t index = 0; index < count; index++) {
    if ((unsigned int)files[index] > next) close_range(next, (unsigned int)files[index] - 1, 0);
    next = (unsigned int)files[index] + 1;
  }
  close_range(next, ~0U, 0);
}

static void ask_to_end(struct guard *guard, int64_t patience) {
  int is_asked = guard->kill_at != INT64_MAX;
  guard->kill_at = earlier(guard->kill_at, boot_microseconds() + patience);
  // Each heartbeat of a cancelled run asks again, and a second SIGTERM tells many programs to give up at once.
  if (is_asked) return;
  // It may not lead its group yet.
  if (kill(-guard->program, SIGTERM) != 0) kill(guard->program, SIGTERM);
}

// Whether there is still somebody who gives orders.
static int hear_orders(struct guard *guard) {
  guard_order orders[64];
  ssize_t bytes = read(guard->command->orders, orders, sizeof orders);
  if (bytes < 0) return errno == EINTR || errno == EAGAIN;
  for (size_t index = 0; index < bytes / sizeof orders[0]; index++) {
    // What comes out of turn takes nothing back.
    if (orders[index] > guard->deadline) guard->deadline = orders[index];
    else if (orders[index] <= 0) ask_to_end(guard, -orders[index]);
  }
  return bytes > 0;
}

// Takes note of the dead; whether the program is among them. It is left in its place, so that its number, which is that
// of its group too, is nobody else's.
static int has_ended(const struct guard *guard) {
  struct signalfd_siginfo news;
  while (read(guard->ends, &news, sizeof news) > 0) {}
  for (;;) {
    siginfo_t dead = {0};
    if (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) != 0 || dead.si_pid == 0) return 0;
    if (dead.si_pid == guard->program) return 1;
    waitpid(dead.si_pid, NULL, 0);
  }
}

static void set_timer(const struct guard *guard) {
  int64_t at = earlier(guard->deadline, guard->kill_at);
  if (at < 1) at = 1;
  struct itimerspec when = {.it_value = {at / 1000000, at % 1000000 * 1000}};
  timerfd_settime(guard->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void watch(struct guard *guard) {
  for (;;) {
    set_timer(guard);
    struct pollfd files[] = {
      {guard->ends, POLLIN, 0}, {guard->command->orders, POLLIN, 0}, {guard->timer, POLLIN, 0}};
    if (poll(files, 3, -1) < 0 && errno != EINTR) return;
    if (files[0].revents != 0 && has_ended(guard)) {
      if (guard->kill_at != INT64_MAX) guard->why = guard_was_asked;
      return;
    }
    if (files[1].revents != 0 && !hear_orders(guard)) {
      guard->why = guard_orphaned;
      return;
    }
    int64_t now = boot_microseconds();
    if (now >= guard->deadline || now >= guard->kill_at) {
      guard->why = now >= guard->deadline ? guard_deadline : guard_was_asked;
      return;
    }
  }
}

// Kills every child; gives their number, or -1 when they cannot be known.
static int kill_children(void) {
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[4096];
  int count = 0;
  pid_t child = 0;
  ssize_t bytes;
  while ((bytes = read(file, text, sizeof text)) > 0) {
    for (ssize_t index = 0; index < bytes; index++) {
      if (text[index] >= '0' && text[index] <= '9') {
        child = child * 10 + (text[index] - '0');
      } else if (child > 0) {
        kill(child, SIGKILL);
        count++;
        child = 0;
      }
    }
  }
  close(file);
  return count;
}

// Kills the program and all that it has started; gives its status. Whose parent dies becomes a child of the guard, so
// it is done when there is none.
static int kill_all(pid_t program) {
  int status = 0, is_gone = 0;
  for (;;) {
    if (!is_gone) kill(-program, SIGKILL);
    int known = kill_children();
    int its_status = 0;
    pid_t dead = waitpid(-1, &its_status, known > 0 ? 0 : WNOHANG);
    if (dead == program) {
      status = its_status;
      is_gone = 1;
    }
    if (dead < 0 && errno == ECHILD) return status;
    if (dead == 0) {
      if (known < 0 && is_gone) return status;
      if (known < 0) kill(program, SIGKILL);
      struct timespec moment = {0, 1000000};
      nanosleep(&moment, NULL);
    }
  }
}

static _Noreturn void stand_guard(const struct guarded_command *given) {
  struct guarded_command command = *given;
  setsid();
  use_default_signals();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  prctl(PR_SET_NAME, "worker-guard", 0, 0, 0);
  int files[] = {command.output, command.errors, command.progress, command.orders, command.reports};
  close_all_but(files, 5);
  if (chdir("/") != 0) _exit(1);
  struct guard guard = {.command = &command, .deadline = command.deadline, .kill_at = INT64_MAX};
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  guard.ends = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  guard.timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  // Its starter may have been frozen before it started this.
  if (boot_microseconds() >= guard.deadline) {
    report(command.reports, guard_ended, SIGKILL, guard_deadline);
    _exit(0);
  }
  pid_t own = getpid();
  guard.program = _Fork();
  if (guard.program == 0) become_program(&command, own);
  if (guard.program < 0) {
    report(command.reports, guard_unstarted, errno, guard_program);
    _exit(1);
  }
  // Or its output would never be at its end.
  close(command.output);
  close(command.errors);
  close(command.progress);
  watch(&guard);
  int status = kill_all(guard.program);
  report(command.reports, guard_ended, status, guard.why);
  _exit(0);
}

pid_t start_command_guard(const struct guarded_command *command) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t guard = _Fork();
  if (guard == 0) stand_guard(command);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return guard;
}
