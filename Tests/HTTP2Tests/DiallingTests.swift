import Testing

@testable import HTTP2

/// In which order and when the addresses of a server are tried.
struct DiallingTests {
  private let now = Instant.now

  @Test func `the next address is tried a quarter of a second after the one before`() {
    var dialling = Dialling(addresses: 2, between: .milliseconds(250), at: now)

    #expect(dialling.step(at: now) == .dial(0))
    #expect(dialling.step(at: now) == .wait(until: now + .milliseconds(250)))
    #expect(dialling.step(at: now + .milliseconds(249)) == .wait(until: now + .milliseconds(250)))
    #expect(dialling.step(at: now + .milliseconds(250)) == .dial(1))
    #expect(dialling.step(at: now + .seconds(1)) == .wait(until: now + .seconds(86401)))
  }

  @Test func `an address that fails lets the next one be tried at once`() {
    var dialling = Dialling(addresses: 2, between: .milliseconds(250), at: now)
    _ = dialling.step(at: now)

    dialling.fail(at: now)

    #expect(dialling.step(at: now) == .dial(1))
    dialling.fail(at: now)
    #expect(dialling.step(at: now) == .lost)
  }

  @Test func `a server without an address is lost`() {
    var dialling = Dialling(addresses: 0, between: .milliseconds(250), at: now)

    #expect(dialling.step(at: now) == .lost)
  }

  @Test func `addresses of IPv6 and IPv4 come by turns, beginning with the resolver's first`() {
    let addresses = [(10, 1), (10, 2), (10, 3), (2, 4)].map {
      SocketAddress(family: $0.0, bytes: [$0.1])
    }

    #expect(SocketAddress.byTurns(addresses) == [0, 3, 1, 2].map { addresses[$0] })
    #expect(SocketAddress.byTurns([]) == [])
  }
}
