import Push
import Synchronization
import TestSupport
import Testing

@Suite("The transport to all providers")
struct ProviderTransportTests {
  /// A provider that answers as it is told, from another thread.
  private final class Provider: PushSender {
    let seen = Mutex<[String]>([])
    private let admit: @Sendable (Int, Int) -> Care.Leave
    private let answer: @Sendable (String) -> Delivery
    private let asked = Atomic(0)

    init(
      _ answer: @escaping @Sendable (String) -> Delivery = { _ in .sent },
      admitting admit: @escaping @Sendable (Int, Int) -> Care.Leave = { wanted, _ in .now(wanted) }
    ) {
      (self.admit, self.answer) = (admit, answer)
    }

    func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave {
      admit(wanted, asked.wrappingAdd(1, ordering: .relaxed).oldValue)
    }

    func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void) {
      seen.withLock { $0.append(push.id) }
      _ = TestThread { [answer] in
        done(answer(push.id))
        done(.uncertain("a second answer"))
      }
    }
  }

  private func push(_ id: String, _ provider: PushProvider = .apns, isSandbox: Bool = false)
    -> PushMessage
  {
    PushMessage(
      id: id, provider: provider, isSandbox: isSandbox, token: PushToken("a1b2"), title: "",
      body: "", link: "", expiresAt: 0)
  }

  @Test func `each push goes to the provider of its device, and answers come in their order`() {
    let (apple, sandbox) = (Provider { .accepted(as: "a\($0)") }, Provider { .refused("s\($0)") })
    let google = Provider { .rejected("g\($0)") }
    let transport = ProviderTransport([
      PushPlace(.apns): apple, PushPlace(.apns, isSandbox: true): sandbox, PushPlace(.fcm): google,
    ])

    let deliveries = transport.send([
      push("1", .fcm), push("2"), push("3", isSandbox: true), push("4", .webhook), push("5"),
      push("6", .fcm, isSandbox: true),
    ])

    #expect(
      deliveries == [
        .rejected("g1"), .accepted(as: "a2"), .refused("s3"),
        .notSent("webhook is not enabled"), .accepted(as: "a5"), .rejected("g6"),
      ])
    #expect(transport.send([]) == [])
    #expect(!transport.staysInProcess)
  }

  @Test func `pushes wait for the rate of their provider, and keep no others waiting`() {
    let slow = Provider(admitting: { wanted, asked in
      asked % 2 == 0 ? .now(min(wanted, 2)) : .later(.milliseconds(1))
    })
    let fast = Provider()
    let transport = ProviderTransport([PushPlace(.apns): slow, PushPlace(.fcm): fast])

    let deliveries = transport.send((0..<6).map { push("\($0)") } + [push("6", .fcm)])

    #expect(deliveries == Array(repeating: .sent, count: 7))
    #expect(slow.seen.withLock(\.self) == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `what a rate does not let leave in time was not sent`() {
    let time = Mutex(ContinuousClock.now)
    let never = Provider(admitting: { _, asked in asked == 0 ? .now(1) : .later(.milliseconds(1)) })
    let transport = ProviderTransport(
      [PushPlace(.apns): never],
      clock: {
        time.withLock { time in
          time += .seconds(1)
          return time
        }
      })

    #expect(
      transport.send([push("1"), push("2")])
        == [.sent, .notSent("there are more pushes than its rate allows")])
  }

  @Test func `while a breaker is open nothing is sent, and no push is lost`() {
    let closed = Provider(admitting: { _, asked in
      asked == 0 ? .now(1) : .none(because: "the key is refused", wait: .seconds(40))
    })
    let transport = ProviderTransport([PushPlace(.apns): closed])

    #expect(
      transport.send([push("1"), push("2")])
        == [.sent, .notSent("the key is refused", wait: .seconds(40))])
    #expect(closed.seen.withLock(\.self) == ["1"])
  }
}
