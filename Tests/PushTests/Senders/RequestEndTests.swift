import HTTP2
import LocalTime
import Push
import Synchronization
import Testing

/// Until when a sender lets a push be given to a connection.
@Suite("The ends of requests")
struct RequestEndTests {
  /// A server that takes everything, and remembers until when it could have.
  private final class Server: RequestSending {
    let ends = Mutex<[Duration?]>([])
    private let start: ContinuousClock.Instant

    init(since start: ContinuousClock.Instant) { self.start = start }

    var failures: Int { 0 }

    func rest() {}

    func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
      ends.withLock { $0.append(request.end.map { $0 - start }) }
      completion(.answered(Answer(status: 200)))
    }
  }

  private let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)
  private let start = ContinuousClock.now

  private func push(lasting seconds: Int) -> PushMessage {
    PushMessage(
      id: "7/2026-03-08", token: PushToken("a1b2"), title: "t", body: "b", link: "l",
      expiresAt: now.secondsSince1970 + seconds)
  }

  /// Sends to a server by Apple's provider; each look at the clock takes so long, which only the stopwatch knows.
  private func send(
    _ pushes: [PushMessage], after: Duration = .zero, freezing: Duration = .zero
  ) -> Server {
    let server = Server(since: start)
    let frozen = Frozen()
    let tokens = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("t") })
    let sender = StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: tokens), by: server,
      rate: PushRate(most: 100, ramp: .zero),
      now: { [now] in
        frozen.time.withLock { $0 += freezing }
        return now + after
      }, clock: { [start] in start + frozen.time.withLock(\.self) })
    for push in pushes { sender.send(push) { _ in } }
    return server
  }

  private final class Frozen: Sendable { let time = Mutex(Duration.zero) }

  @Test func `a request may be given to a connection until shortly before its window ends`() {
    let pushes = [nil, 60, 5, 7200].map { seconds in
      var push = push(lasting: 3600)
      push.leavesBefore = seconds.map { now + .seconds($0) }
      return push
    }

    let ends = send(pushes).ends.withLock(\.self)
    #expect(ends == [.seconds(3595), .seconds(55), .seconds(3595)])
  }

  @Test func `a push of which less than whole seconds are left may leave no longer than they last`()
  {
    let server = send([push(lasting: 60)], after: .milliseconds(900))

    #expect(server.ends.withLock(\.self) == [.milliseconds(54_100)])
  }

  @Test func `a push ends five seconds before its window does or it expires`() {
    var push = push(lasting: 60)
    #expect(push.end == now + .seconds(55))
    push.leavesBefore = now + .seconds(90)
    #expect(push.end == now + .seconds(55))
    push.leavesBefore = now + .seconds(30)
    #expect(push.end == now + .seconds(25))
  }

  @Test func `a freeze between a look at the stopwatch and one at the clock gives it no time`() {
    let server = send([push(lasting: 60)], freezing: .seconds(30))

    // To get the token took the first half minute.
    #expect(server.ends.withLock(\.self) == [.seconds(30 + 55)])
  }
}
