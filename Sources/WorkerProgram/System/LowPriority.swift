internal import Glibc

/// The place of a thread behind the others.
enum LowPriority {
  /// Lets every other thread go first that wants the processor; where the system forbids it, none does.
  static func take() {
    // On Linux 0 is the calling thread, not its process.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
  }

  /// Lets so much time pass on this thread.
  static func rest(milliseconds: Int32) {
    poll(nil, 0, milliseconds)
  }
}
