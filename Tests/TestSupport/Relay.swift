private import Dispatch
private import Glibc
private import Synchronization

/// A network between a client and a server that a test can cut.
///
/// It listens on a port of 127.0.0.1 and passes everything on to a unix socket.
public final class Relay: Sendable {
  /// The port on which it listens.
  public let port: Int

  private let control: Control

  /// Starts to pass on what comes to the server's socket at `path`.
  public init(to path: String) throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    let control = Control()
    self.control = control
    startThread {
      var traffic = Traffic(listener: listener, target: path)
      while control.isOpen { traffic.turn() }
      // The sockets of a cut cable stay as they are.
      control.awaitEnd()
      traffic.close()
    }
  }

  deinit {
    control.end()
  }

  /// Passes nothing on any more, as when a cable is cut: nobody is told.
  public func freeze() {
    control.close()
  }

  /// What the test wants.
  private final class Control: Sendable {
    private let hasTraffic = Atomic(true)
    private let over = DispatchSemaphore(value: 0)

    /// Whether anything is passed on.
    var isOpen: Bool { hasTraffic.load(ordering: .relaxed) }

    func close() {
      hasTraffic.store(false, ordering: .relaxed)
    }

    func end() {
      close()
      over.signal()
    }

    func awaitEnd() {
      over.wait()
    }
  }
}

/// The sockets of a relay.
private struct Traffic {
  let listener: Int32
  let target: String
  private var pairs = [(client: Int32, server: Int32)]()

  init(listener: Int32, target: String) {
    self.listener = listener
    self.target = target
  }

  /// Passes on what is there, after a wait of a hundredth of a second at most.
  mutating func turn() {
    let sockets = [listener] + pairs.flatMap { [$0.client, $0.server] }
    var waits = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&waits, nfds_t(waits.count), 10) > 0 else { return }
    let ready = Set(waits.filter { $0.revents != 0 }.map(\.fd))
    pairs.removeAll { pair in
      let isOver =
        ready.contains(pair.client) && !Self.pass(from: pair.client, to: pair.server)
        || ready.contains(pair.server) && !Self.pass(from: pair.server, to: pair.client)
      if isOver { Self.close(pair) }
      return isOver
    }
    if ready.contains(listener) { accept() }
  }

  func close() {
    pairs.forEach(Self.close)
    Glibc.close(listener)
  }

  private mutating func accept() {
    let client = Glibc.accept(listener, nil, nil)
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(target.utf8.prefix(107))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(server, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status == 0 { pairs.append((client, server)) } else { Self.close((client, server)) }
  }

  /// Passes on one piece; false when the connection is over.
  private static func pass(from source: Int32, to target: Int32) -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(source, &piece, piece.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    return unsafe send(target, piece, count, Int32(MSG_NOSIGNAL)) == count
  }

  private static func close(_ pair: (client: Int32, server: Int32)) {
    Glibc.close(pair.client)
    Glibc.close(pair.server)
  }
}
