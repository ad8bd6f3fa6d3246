#if DEBUG
  internal import Glibc
  internal import Synchronization
#endif

/// A place between two statements at which a debug build can be told to die, as by a kill -9.
///
/// So tests prove that another daemon goes on from every line. A release build has nothing of it.
public enum Failpoint: String, Sendable, CaseIterable {
  case decideLocked = "decide.locked"
  case decideCommitted = "decide.committed"

  case claimBegun = "claim.begun"
  case claimClaimed = "claim.claimed"

  case chunkBegun = "chunk.begun"
  case chunkWorked = "chunk.worked"
  case chunkSaved = "chunk.saved"
  case chunkCommitted = "chunk.committed"

  case finishBegun = "finish.begun"
  case finishWritten = "finish.written"
  case releaseBegun = "release.begun"
  case releaseWritten = "release.written"

  case leasesExtended = "leases.extended"
  case rescueBegun = "rescue.begun"
  case rescueWritten = "rescue.written"

  case requestsDue = "requests.due"
  case waitingDecided = "waiting.decided"

  case messageMade = "message.made"
  case messageClaimed = "message.claimed"
  case messageSent = "message.sent"
  case messageRecorded = "message.recorded"

  case drainBegun = "drain.begun"
  case drainAsked = "drain.asked"
  case drainWorked = "drain.worked"
  case drainForgotten = "drain.forgotten"

  /// Dies here when this is the place, and the time, that was asked for.
  @inline(__always)
  package func pass() {
    #if DEBUG
      Self.armed.withLock { armed in
        guard armed?.place == self else { return }
        armed?.timesLeft -= 1
        if armed?.timesLeft == 0 { kill(getpid(), SIGKILL) }
      }
    #endif
  }
}

#if DEBUG
  extension Failpoint {
    private struct Armed {
      let place: Failpoint
      var timesLeft: Int
    }

    private static let armed = Mutex<Armed?>(nil)

    /// Arms the place that `text` names: `chunk.saved`, or `chunk.saved:3` for the third time there.
    ///
    /// False when there is no such place.
    public static func arm(_ text: String) -> Bool {
      let words = text.split(separator: ":", maxSplits: 1)
      guard let name = words.first, let place = Failpoint(rawValue: String(name)),
        let times = words.count > 1 ? Int(words[1]) : 1, times > 0
      else { return false }
      armed.withLock { $0 = Armed(place: place, timesLeft: times) }
      return true
    }
  }
#endif
