import Synchronization

/// A value that a test and the jobs it rehearses hand each other across threads.
final class Box<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)

  var value: Value? {
    get { content.withLock(\.self) }
    set { content.withLock { $0 = newValue } }
  }
}

/// Counts how often it was asked, from 1.
final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  var value: Int { count.withLock(\.self) }
}
