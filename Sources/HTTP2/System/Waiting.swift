internal import Glibc

/// A thread's sleep until a descriptor is ready, somebody wakes it, or a moment has come.
struct Waiting {
  let wakeUp: WakeUp
  let clock: @Sendable () -> Instant

  /// A descriptor and what it should be ready for.
  struct Interest {
    let descriptor: Int32
    var reads = false
    var writes = false
  }

  /// Sleeps; returns which of the descriptors are ready, or have failed.
  func sleep(until moment: Instant?, for interests: [Interest] = []) -> [Bool] {
    var polled = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    for interest in interests {
      let events = (interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)
      polled.append(pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
    }
    let patience = milliseconds(until: moment)
    unsafe poll(&polled, nfds_t(polled.count), patience)
    if polled[0].revents != 0 { wakeUp.clear() }
    return polled.dropFirst().map { $0.revents != 0 }
  }

  /// Rounded up: who wakes too early would turn round and round until the moment has come.
  private func milliseconds(until moment: Instant?) -> Int32 {
    guard let moment else { return -1 }
    let left = moment - clock()
    guard left > .zero else { return 0 }
    let (seconds, rest) = left.components
    guard seconds < 3600 else { return 3_600_000 }
    return Int32(seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
