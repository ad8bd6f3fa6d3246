internal import Glibc

/// How a wait for a descriptor ended.
enum Readiness {
  case ready
  case cancelled
  case late

  /// Waits until `descriptor` is ready for `events`, `canceller` is used or `deadline` has passed.
  ///
  /// Without a deadline it waits for ever. A cancel goes before data: a stream that never pauses
  /// could not be cancelled otherwise.
  static func wait(
    for descriptor: Int32, _ events: Int32, until deadline: Deadline?,
    unless canceller: Canceller? = nil
  ) -> Readiness {
    var waits = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: canceller?.event ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&waits, nfds_t(waits.count), deadline?.milliseconds ?? -1)
      if count > 0 { return waits[1].revents != 0 ? .cancelled : .ready }
      // A signal only interrupts the wait; anything else the next use of the descriptor reports.
      if count < 0, errno != EINTR { return .ready }
      if let deadline, deadline.milliseconds == 0 { return .late }
    }
  }
}
