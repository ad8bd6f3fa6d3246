#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A program that is to be run, and what it may take.
struct guarded_command {
  /// The program and its arguments, then its variables; each list ends with NULL.
  char *const *words;
  char *const *environment;
  /// Where it begins.
  const char *folder;
  /// What it writes to: its two streams, and the lines that say how far it is.
  int output;
  int errors;
  int progress;
  /// Where the guard hears from its starter, and where it reports what came of the program.
  int orders;
  int reports;
  /// Until when it may live without another order, as `boot_microseconds` counts.
  int64_t deadline;
  /// How many bytes of memory it may address, and how many files it may have open; 0 for no limit of its own.
  uint64_t memory;
  uint64_t files;
  /// Whose rights it gets, where `changes_user` is not 0.
  int changes_user;
  uint32_t user;
  uint32_t group;
  const gid_t *groups;
  size_t group_count;
};

/// What a guard hears: above 0 the next deadline; else that the program is asked to end, and killed so many
/// microseconds later.
typedef int64_t guard_order;

/// What a guard reports, once.
struct guard_report {
  int32_t what;
  /// The number of the error, or the status that `waitpid` gives.
  int32_t value;
  /// How far it came, or why it was killed.
  int32_t why;
};

enum { guard_unstarted = 1, guard_ended = 2 };
enum { guard_limits = 1, guard_user = 2, guard_program = 3, guard_folder = 4 };
enum { guard_not_killed = 0, guard_was_asked = 1, guard_deadline = 2, guard_orphaned = 3 };

/// The microseconds since the machine was started, those in which it slept included.
int64_t boot_microseconds(void);

/// What a signal is called, without SIG; NULL for one that has no name.
const char *signal_name(int number);

/// Starts a process that starts a program and stays beside it; gives its number, or -1.
///
/// The guard kills the program and all that the program has started when its deadline passes, when the other end of
/// `orders` is closed, as it is when its starter dies, when it is told to, and when the program has ended. Nothing of
/// them lives any more when it reports.
pid_t start_command_guard(const struct guarded_command *command);
