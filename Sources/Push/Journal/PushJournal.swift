internal import Synchronization

/// What this process has written to sockets, kept where its death does not reach it.
///
/// After a kill it is known of each push that was being sent whether it left: the database alone would have to
/// take each for one that did.
public final class PushJournal: Sendable {
  private let pages: Mutex<Pages>

  /// The file, and where what is in it.
  fileprivate struct Pages: ~Copyable {
    let memory: JournalMemory
    var places: [JournalKey: Int] = [:]
    var free: [Int]
    var next = 0
    var order: UInt64 = 0
    var lost = 0
    var keys: [JournalKey?]

    init(_ memory: consuming JournalMemory) {
      let count = memory.places
      self.memory = memory
      free = Array((0..<count).reversed())
      keys = Array(repeating: nil, count: count)
    }
  }

  /// Begins a journal in a folder, with places for as many pushes as may be under way; throws where it cannot.
  public init(in folder: String, named name: String, places: Int = 32_768) throws(JournalError) {
    let memory = try JournalMemory(at: "\(folder)/\(name)\(Self.ending)", places: max(places, 1))
    pages = Mutex(Pages(memory))
  }

  /// What the names of journals end with.
  static let ending = ".push-journal"

  /// Notes that a part of a run will claim pushes: of those of no other it is known that they never left.
  public func attend(_ claim: String) {
    guard let key = JournalKey(claim: claim) else { return }
    pages.withLock { $0.write(.attended, key) }
  }

  /// Notes what is known of a push; ``JournalNote/leaving`` before the first byte of it is written.
  public func note(_ note: JournalNote, _ push: String, of claim: String) {
    guard let key = JournalKey(push: push, claim: claim) else { return }
    self.note(note, key)
  }

  func note(_ note: JournalNote, _ key: JournalKey) {
    pages.withLock { $0.write(note, key) }
  }

  /// Marks pushes as leaving whose bytes are written next, in one call, if they may; returns whether.
  ///
  /// First each has its place, which says nothing until it is marked: who is killed there has written nothing, and who
  /// was frozen there is told by `mayLeave`. Then nothing but the marks is left between that and the write.
  func markLeaving(_ keys: [JournalKey], if mayLeave: () -> Bool) -> Bool {
    pages.withLock { pages in
      let places = keys.map { pages.place(of: $0) }
      guard mayLeave() else { return false }
      pages.memory.mark(places)
      return true
    }
  }

  /// Forgets pushes of which the database knows what became of them.
  public func forget(_ pushes: [String], of claim: String) {
    let keys = pushes.compactMap { JournalKey(push: $0, claim: claim) }
    pages.withLock { pages in keys.forEach { pages.forget($0) } }
  }

  /// Forgets a part that claims no more, and has written down what became of its pushes.
  public func forget(_ claim: String) {
    guard let key = JournalKey(claim: claim) else { return }
    pages.withLock { $0.forget(key) }
  }

  /// How full it is.
  public var figures: JournalFigures {
    pages.withLock { pages in
      JournalFigures(places: pages.memory.places, used: pages.places.count, lost: pages.lost)
    }
  }

  /// Removes the file: all is written down.
  public func remove() {
    pages.withLock { $0.memory.remove() }
  }
}

extension PushJournal.Pages {
  mutating func write(_ note: JournalNote, _ key: JournalKey) {
    memory.change(place(of: key), to: note)
  }

  /// The place of a push; a new one says nothing of it yet.
  mutating func place(of key: JournalKey) -> Int {
    if let place = places[key] { return place }
    let place = free.popLast() ?? oldest()
    order += 1
    memory.prepare(place, for: key, order: order)
    places[key] = place
    keys[place] = key
    return place
  }

  mutating func forget(_ key: JournalKey) {
    guard let place = places.removeValue(forKey: key) else { return }
    memory.clear(place)
    keys[place] = nil
    free.append(place)
  }

  /// A place that is taken from a push which nobody has forgotten yet: from then on what is missing says nothing.
  private mutating func oldest() -> Int {
    memory.noteLoss()
    lost += 1
    defer { next = (next + 1) % memory.places }
    if let key = keys[next] { places[key] = nil }
    return next
  }
}

extension PushJournal {
  /// Writes down what became of a push that left; one of which nobody knows stays one that has left.
  func note(_ delivery: Delivery, _ push: PushMessage) {
    if let note = delivery.note { self.note(note, push.id, of: push.claim) }
  }
}

extension Delivery {
  /// What a journal knows by it, or nothing more than before.
  var note: JournalNote? {
    switch self {
    case .sent, .accepted: .accepted
    case .refused, .notSent: .refused
    // What is rejected is not sent again, not after a kill either: the answer may be one that nobody knows.
    case .rejected, .uncertain: nil
    }
  }
}
