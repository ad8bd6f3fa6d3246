internal import Config
internal import Dispatch
internal import JobKit
package import Ledger
package import LocalTime
internal import Synchronization

/// Sends messages to people, beside all that a daemon does: a receiver that hangs delays nothing.
///
/// The maintenance loop hands it what it has claimed, and asks later what came of it. A few threads of its own are
/// all that ever wait for a receiver.
public final class Notifier: Sendable {
  private struct State {
    var settings: NotifierSettings
    var free: [Int]
    var sent: [SentMessage] = []
    var lastPass: Instant?
    var lastPing: Instant?
    var isPinging = false
    var pingFails = false
  }

  private let state: Mutex<State>
  private let log: Log
  private let sender: String

  /// One message at a time on each: never more than these wait for a receiver.
  private let queues = (1...2).map { DispatchQueue(label: "notifier \($0)") }
  private let pings = DispatchQueue(label: "ping")

  public init(_ settings: NotifierSettings, from sender: String, log: Log) {
    state = Mutex(State(settings: settings, free: Array(queues.indices)))
    self.sender = sender
    self.log = log
  }

  /// Tells by other settings from now on.
  public func renew(_ settings: NotifierSettings) {
    state.withLock { $0.settings = settings }
  }
}

extension Notifier {
  /// What the maintenance loop has to look for; nothing when nobody is told of anything and nobody is called.
  package var watch: NoticeWatch? {
    state.withLock {
      $0.settings.channels.isEmpty && $0.settings.ping == nil ? nil : $0.settings.watch
    }
  }

  /// How many more messages can be sent at once.
  package var room: Int { state.withLock { $0.settings.channels.isEmpty ? 0 : $0.free.count } }

  /// Sends a message that this daemon has claimed, and rings when it knows what came of it.
  func send(_ message: NoticeMessage, at now: Instant, ringing wakeUp: WakeUp) {
    let (queue, settings) = state.withLock { state in
      (state.free.isEmpty ? nil : state.free.removeLast(), state.settings)
    }
    // Nobody takes it: its lease runs out and it is claimed again.
    guard let queue else { return }
    let written = WrittenMessage(message, from: sender, next: settings.next(message.job, now))
    queues[queue].async { @Sendable [self] in
      Failpoint.messageClaimed.pass()
      let sent = tell(written, on: settings.channels, at: now)
      Failpoint.messageSent.pass()
      state.withLock { state in
        state.sent.append(sent)
        state.free.append(queue)
      }
      wakeUp.ring()
    }
  }

  private func tell(
    _ written: WrittenMessage, on channels: [any Channel], at now: Instant
  ) -> SentMessage {
    let message = written.message
    var (told, failures) = (message.toldChannels, [String]())
    for channel in channels where !told.contains(channel.name) {
      do throws(DeliveryError) {
        try channel.deliver(written)
        told.append(channel.name)
      } catch {
        failures.append("\(channel.label): \(error)")
      }
    }
    return SentMessage(
      message: message, toldChannels: told,
      error: failures.isEmpty ? nil : failures.joined(separator: "; "), claimedAt: now)
  }

  /// What came of messages and is not recorded yet.
  var unrecorded: [SentMessage] { state.withLock(\.sent) }

  /// Forgets the oldest of these, which is recorded.
  func forgetRecorded() {
    state.withLock { state in state.sent = Array(state.sent.dropFirst()) }
  }

  /// Says in the log what came of a message.
  func report(_ sent: SentMessage) {
    let fields: KeyValuePairs = [
      "job": sent.message.job, "event": sent.message.event.rawValue,
      "message": "\(sent.message.id)",
      "times": "\(sent.message.times)",
    ]
    switch sent.end {
    case .told: log.info("told: \(sent.toldChannels.joined(separator: ", "))", fields)
    case .again(let wait):
      log.warning("not told: \(sent.error ?? ""); tried again in \(wait.written)", fields)
    case .givenUp: log.error("not told, and given up after a day: \(sent.error ?? "")", fields)
    }
  }
}

extension Notifier: DaemonListener {
  /// Hears of passes, because nobody is to be called as if all were well when there are none.
  public func handle(_ event: DaemonEvent) {
    guard case .passed(let pass, let now) = event, pass.failures.isEmpty else { return }
    state.withLock { $0.lastPass = now }
  }

  /// Calls whoever expects it, when it is time to and all is well.
  package func ping(at now: Instant, isLate: Bool) {
    let ping = state.withLock { state -> (@Sendable () throws(DeliveryError) -> Void)? in
      guard let ping = state.settings.ping, !state.isPinging, !isLate, let pass = state.lastPass,
        now - pass < Self.passIsRecent,
        state.lastPing.map({ now - $0 >= state.settings.pingEvery || now < $0 }) ?? true
      else { return nil }
      (state.isPinging, state.lastPing) = (true, now)
      return ping
    }
    guard let ping else { return }
    pings.async { @Sendable [self] in
      var failure: String?
      do throws(DeliveryError) { try ping() } catch { failure = "\(error)" }
      let fails = failure != nil
      let isNews = state.withLock { state in
        defer { (state.isPinging, state.pingFails) = (false, fails) }
        return state.pingFails != fails
      }
      guard isNews else { return }
      if let failure {
        log.warning("ping: \(failure); it is tried again each time, and this is not said again")
      } else {
        log.info("ping: it arrives again")
      }
    }
  }

  /// The scheduler sleeps half a minute at most.
  private static let passIsRecent = Duration.seconds(90)
}
