internal import Dispatch
internal import Glibc
internal import HTTP2
internal import Synchronization

/// Sends many pushes to a server by the client of this project, and prints what became of them.
///
/// What was certainly not sent is sent again, in a few rounds, as a daemon would: if any of it had been taken, the
/// server would see an identifier twice.
@main
struct Pushes {
  static func main() {
    let plan = Plan(CommandLine.arguments.dropFirst())
    let pool = ConnectionPool(to: plan.origin, plan.policy, seed: plan.seed)
    let sending = Sending(plan, pool)
    let began = ContinuousClock.now
    sending.run()
    let took = ContinuousClock.now - began
    let drained = DispatchGroup()
    drained.enter()
    pool.drain { drained.leave() }
    drained.wait()
    sending.report(took: took, pool.figures)
  }
}

/// Sends with as many in hand as the window allows.
private final class Sending: Sendable {
  private let plan: Plan
  private let pool: ConnectionPool
  private let ends: Mutex<[End?]>

  init(_ plan: Plan, _ pool: ConnectionPool) {
    (self.plan, self.pool) = (plan, pool)
    ends = Mutex(Array(repeating: nil, count: plan.count))
  }

  func run() {
    var left = Array(0..<plan.count)
    for _ in 0..<plan.rounds where !left.isEmpty {
      send(left)
      let ended = ends.withLock { $0 }
      left = left.filter {
        if case .notSent? = ended[$0] { true } else { false }
      }
    }
  }

  /// Keeps as many in hand as the window allows: each that ends lets the next one begin.
  private func send(_ indices: [Int]) {
    let all = DispatchGroup()
    let work = Work(indices)
    for _ in 0..<min(plan.window, indices.count) {
      all.enter()
      sendNext(of: work, until: all)
    }
    all.wait()
  }

  private func sendNext(of work: Work, until all: DispatchGroup) {
    guard let index = work.next() else { return all.leave() }
    pool.send(plan.request(index)) { [self] end in
      ends.withLock { $0[index] = end }
      sendNext(of: work, until: all)
    }
  }

  /// One line of JSON with the counts, and a file that says of each push what became of it.
  func report(took: Duration, _ figures: PoolFigures) {
    var counts: [String: Int] = [:]
    var lines = ""
    let ended = ends.withLock { $0 }
    for (index, end) in ended.enumerated() {
      let word = Self.word(for: end)
      counts[word, default: 0] += 1
      if plan.output != nil { lines += "\(plan.id(index)) \(word)\n" }
    }
    if let path = plan.output { write(lines, to: path) }
    let counted = counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    print(
      "{\(counted.joined(separator: ", ")), \"seconds\": \(took / .seconds(1)), "
        + "\"processor seconds\": \(processorSeconds()), \"opened\": \(figures.opened)}")
  }

  private static func word(for end: End?) -> String {
    switch end {
    case .answered(let answer): answer.status == 200 ? "sent" : "refused"
    case .notSent: "notSent"
    case .uncertain: "uncertain"
    case nil: "lost"
    }
  }

  private func write(_ text: String, to path: String) {
    guard let file = unsafe fopen(path, "w") else { return }
    unsafe fputs(text, file)
    unsafe fclose(file)
  }

  private func processorSeconds() -> Double {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }
}

/// What is still to be begun.
private final class Work: Sendable {
  private let indices: [Int]
  private let begun = Mutex(0)

  init(_ indices: [Int]) {
    self.indices = indices
  }

  func next() -> Int? {
    begun.withLock { begun in
      guard begun < indices.count else { return nil }
      begun += 1
      return indices[begun - 1]
    }
  }
}
