import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WorkerProgram

@Suite("Signals")
struct SignalsTests {
  @Test func `a signal is heard from the moment on at which somebody listens`() throws {
    for _ in 0..<50 {
      let hearing = Hearing()
      Signals().hear([SIGUSR2]) { _ in hearing.isDone.store(true, ordering: .releasing) }
      kill(getpid(), SIGUSR2)
      try eventually { hearing.isDone.load(ordering: .acquiring) }
    }
  }
}

private final class Hearing: Sendable {
  let isDone = Atomic(false)
}
