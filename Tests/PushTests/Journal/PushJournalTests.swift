import Glibc
import TestSupport
import Testing

@testable import Push

@Suite("The journal of pushes")
struct PushJournalTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The one journal whose process is dead.
  private func remains() throws -> JournalRemains {
    try #require(JournalRemains.all(in: folder.path).first)
  }

  @Test func `of a process that is killed it is known what left and what did not`() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let journal = try PushJournal(in: path, named: "killed")
      journal.attend("4711/0#1")
      for push in ["left", "taken", "refused", "settled"] {
        journal.note(.leaving, push, of: "4711/0#1")
      }
      journal.note(.accepted, "taken", of: "4711/0#1")
      journal.note(.refused, "refused", of: "4711/0#1")
      journal.forget(["settled"], of: "4711/0#1")
      kill(getpid(), SIGKILL)
    }

    let remains = try remains()

    let fates = ["left", "taken", "refused", "settled", "waiting"].map {
      remains.fate(of: $0, claimedBy: "4711/0#1")
    }
    #expect(fates == [.left, .accepted, .refused, .neverLeft, .neverLeft])
    #expect(remains.fate(of: "waiting", claimedBy: "4711/0#2") == .unknown)
    #expect(remains.fate(of: "left", claimedBy: "4711/1#1") == .unknown)
    remains.remove()
    #expect(JournalRemains.all(in: folder.path).isEmpty)
  }

  @Test(arguments: 0...3)
  func `of pushes that leave together only those that were marked may have left`(marks: Int)
    async throws
  {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, marks = marks as Int] in
      let memory = try JournalMemory(at: "\(path)/killed.push-journal", places: 8)
      memory.prepare(0, for: try #require(JournalKey(claim: "4711/0#1")), order: 1)
      memory.change(0, to: .attended)
      for place in 1...3 {
        let key = try #require(JournalKey(push: "\(place)", claim: "4711/0#1"))
        memory.prepare(place, for: key, order: UInt64(place + 1))
      }
      memory.mark(Array((1...3).prefix(marks)))
      kill(getpid(), SIGKILL)
    }

    let remains = try remains()

    let fates = (1...3).map { remains.fate(of: "\($0)", claimedBy: "4711/0#1") }
    #expect(fates == (1...3).map { $0 <= marks ? .left : .neverLeft })
  }

  @Test func `more pushes that leave together than there are places are lost to it, not mistaken`()
    throws
  {
    let keys = (0..<6).compactMap { JournalKey(push: "\($0)", claim: "1/0#1") }
    try write(places: 4) { journal in
      journal.attend("1/0#1")
      #expect(journal.markLeaving(keys) { true })
      journal.attend("1/0#1")
    }

    let remains = try remains()
    let fates = (0..<7).map { remains.fate(of: "\($0)", claimedBy: "1/0#1") }
    #expect(!fates.contains(.neverLeft) && fates.filter { $0 == .left }.count == 3)
  }

  @Test func `pushes that may leave no more are not marked`() throws {
    let keys = (0..<3).compactMap { JournalKey(push: "\($0)", claim: "1/0#1") }
    try write { journal in
      journal.attend("1/0#1")
      #expect(!journal.markLeaving(keys) { false })
    }

    let remains = try remains()
    let fates = (0..<3).map { remains.fate(of: "\($0)", claimedBy: "1/0#1") }
    #expect(fates == [.neverLeft, .neverLeft, .neverLeft])
  }

  @Test func `whether pushes may leave is asked before the first of them is marked`() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let journal = try PushJournal(in: path, named: "killed")
      journal.attend("1/0#1")
      let key = try #require(JournalKey(push: "push", claim: "1/0#1"))
      _ = journal.markLeaving([key]) { kill(getpid(), SIGKILL) == 0 }
    }

    #expect(try remains().fate(of: "push", claimedBy: "1/0#1") == .neverLeft)
  }

  @Test func `the journal of a process that lives is left alone`() throws {
    let journal = try PushJournal(in: folder.path, named: "alive")
    journal.attend("4711/0#1")

    #expect(JournalRemains.all(in: folder.path).isEmpty)
    journal.remove()
  }

  @Test func `those who look for the journals of the dead at once all find them`() throws {
    try write { $0.attend("4711/0#1") }
    let path = folder.path

    let readers = (1...4).map { _ in
      TestThread { (1...50).count { _ in JournalRemains.all(in: path).count == 1 } }
    }

    #expect(try readers.map { try $0.value() } == [50, 50, 50, 50])
  }

  @Test func `a journal that is known is not read again, and is forgotten when it is gone`() throws
  {
    try write { journal in
      journal.attend("4711/0#1")
      journal.note(.leaving, "push", of: "4711/0#1")
    }
    let known = JournalRemains.all(in: folder.path)
    let name = try #require(known.first?.path.split(separator: "/").last)
    try folder.write("no journal any more", to: String(name))

    let again = JournalRemains.all(in: folder.path, knowing: known)
    for remains in known { remains.remove() }

    #expect(again.map { $0.fate(of: "push", claimedBy: "4711/0#1") } == [.left])
    #expect(JournalRemains.all(in: folder.path, knowing: known).isEmpty)
  }

  @Test func `a push that is tried again by another claim is another push`() throws {
    try write { journal in
      journal.attend("1/0#1")
      journal.note(.leaving, "push", of: "1/0#1")
      journal.note(.refused, "push", of: "1/0#1")
      journal.attend("2/0#1")
    }

    #expect(try remains().fate(of: "push", claimedBy: "1/0#1") == .refused)
    #expect(try remains().fate(of: "push", claimedBy: "2/0#1") == .neverLeft)
  }

  @Test func `a part that has written all down is forgotten, and nothing is known of it`() throws {
    try write { journal in
      journal.attend("1/0#1")
      journal.forget("1/0#1")
    }

    #expect(try remains().fate(of: "push", claimedBy: "1/0#1") == .unknown)
  }

  @Test func `places are used again, and none is lost while pushes are forgotten in time`() throws {
    try write(places: 4) { journal in
      journal.attend("1/0#1")
      for round in 0..<100 {
        for push in 0..<3 { journal.note(.leaving, "\(round)/\(push)", of: "1/0#1") }
        journal.forget((0..<3).map { "\(round)/\($0)" }, of: "1/0#1")
      }
      journal.note(.leaving, "last", of: "1/0#1")
    }

    let remains = try remains()
    #expect(remains.fate(of: "last", claimedBy: "1/0#1") == .left)
    #expect(remains.fate(of: "99/2", claimedBy: "1/0#1") == .neverLeft)
  }

  @Test func `when places run out, what is missing says nothing, and what is there still does`()
    throws
  {
    try write(places: 4) { journal in
      journal.attend("1/0#1")
      for push in 0..<3 { journal.note(.leaving, "\(push)", of: "1/0#1") }
      journal.note(.leaving, "3", of: "2/0#1")
      journal.attend("1/0#1")
    }

    let remains = try remains()
    let fates = (0..<5).map { remains.fate(of: "\($0)", claimedBy: "1/0#1") }
    #expect(fates == [.unknown, .left, .left, .unknown, .unknown])
  }

  @Test func `a folder that cannot hold it says so`() throws {
    let none = "\(folder.path)/none"
    let words = #expect(throws: JournalError.self) { try PushJournal(in: none, named: "a") }
    let disk = #expect(throws: JournalError.self) {
      try PushJournal(in: folder.path, named: "huge", places: 1 << 40)
    }

    #expect(
      words?.description == "cannot make '\(none)/a.push-journal': no such file or directory")
    #expect(disk?.description.contains("cannot hold 70368744177728 bytes") == true)
    #expect(JournalRemains.all(in: folder.path).isEmpty)
  }

  @Test func `a file that is no journal, or half of one, is none`() throws {
    try folder.write("", to: "empty.push-journal")
    try folder.write("nothing", to: "short.push-journal")
    try folder.write(String(repeating: "x", count: 4096), to: "other.push-journal")
    try ChildProcess.run("/usr/bin/mkfifo", ["\(folder.path)/pipe.push-journal"])

    #expect(JournalRemains.all(in: folder.path).isEmpty)
    #expect(JournalRemains.all(in: "\(folder.path)/none").isEmpty)
  }

  @Test func `of the journals of the dead the last are kept, and none that says nothing`() throws {
    for number in 1...3 { try write(named: "\(number)") { $0.attend("\(number)/0#1") } }
    for number in 4...9 { try write(named: "\(number)") { _ in } }

    let kept = JournalRemains.prune(in: folder.path, keeping: 2)

    #expect(kept.map { $0.fate(of: "push", claimedBy: "2/0#1") } == [.neverLeft, .unknown])
    #expect(kept.map { $0.fate(of: "push", claimedBy: "3/0#1") } == [.unknown, .neverLeft])
    #expect(JournalRemains.all(in: folder.path).map(\.path) == kept.map(\.path))
  }

  /// Writes a journal and lets go of it, as a process does that ends.
  private func write(
    named name: String = "ended", places: Int = 64, _ work: (PushJournal) -> Void
  ) throws {
    work(try PushJournal(in: folder.path, named: name, places: places))
  }
}
