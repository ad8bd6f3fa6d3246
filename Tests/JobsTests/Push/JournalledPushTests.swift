import JobKit
import Jobs
import Ledger
import LocalTime
import Postgres
import Push
import Synchronization
import TestKit
import TestSupport
import Testing

@Suite("Pushes that a journal knows")
struct JournalledPushTests {
  private let scene: PushScene
  private let folder: ScratchFolder

  init() throws {
    scene = try PushScene()
    folder = try ScratchFolder()
  }

  private func deliver(through transport: any PushTransport) throws -> RunRecord {
    try scene.stage.run(DeliverPushes(through: transport, saying: .builtIn))
  }

  /// Writes a journal as a process does that is killed.
  private func write(
    named name: String = "dead", _ work: (PushJournal) -> Void
  ) throws -> [JournalRemains] {
    work(try PushJournal(in: folder.path, named: name, places: 64))
    return JournalRemains.all(in: folder.path)
  }

  @Test func `after a kill only what was on its way is uncertain, and what never left leaves once`()
    throws
  {
    try scene.addDue(1...5)
    try scene.run(
      """
      UPDATE learning.notifications SET state = 'sending', sending_at = due_at, epoch = 3,
        owner = CASE WHEN user_id < 5 THEN '4711/0' ELSE '4711/1' END
      """)
    let remains = try write { journal in
      journal.attend("4711/0#3")
      for learner in 1...3 { journal.note(.leaving, "\(learner)/2026-03-01", of: "4711/0#3") }
      journal.note(.accepted, "2/2026-03-01", of: "4711/0#3")
      journal.note(.refused, "3/2026-03-01", of: "4711/0#3")
    }
    let postbox = Postbox(remains: remains)

    let run = try deliver(through: postbox)

    #expect(try scene.state(of: 1) == "uncertain worker_lost")
    #expect(try scene.state(of: 2) == "sent")
    #expect(try scene.events(of: 2) == "push_sent")
    #expect(postbox.ids.sorted() == ["3/2026-03-01", "4/2026-03-01"])
    #expect(try scene.state(of: 4) == "sent")
    // Another part's: this journal says nothing of it.
    #expect(try scene.state(of: 5) == "uncertain worker_lost")
    #expect(run.counters["not sent/journal"] == 2 && run.counters["sent/journal"] == 1)
  }

  @Test func `an old journal that knows the numbers of a new run lets no push leave twice`() throws
  {
    try scene.addDue(1...3)
    try scene.run(
      "UPDATE learning.notifications SET state = 'sending', sending_at = due_at, epoch = 3, owner = '4711/0'"
    )
    // The database was restored in between, and counts on from where it was then.
    _ = try write(named: "1") { journal in
      journal.attend("4711/0#3")
      journal.note(.refused, "2/2026-03-01", of: "4711/0#3")
    }
    let remains = try write(named: "2") { journal in
      journal.attend("4711/0#3")
      for learner in 1...2 { journal.note(.leaving, "\(learner)/2026-03-01", of: "4711/0#3") }
      journal.note(.accepted, "2/2026-03-01", of: "4711/0#3")
    }
    let postbox = Postbox(remains: remains)

    _ = try deliver(through: postbox)

    #expect(remains.count == 2 && postbox.ids == ["3/2026-03-01"])
    #expect(try scene.state(of: 1) == "uncertain worker_lost")
    #expect(try scene.state(of: 2) == "sent")
  }

  @Test func `a journal is heeded whose process dies while others go on`() throws {
    try scene.addDue(1...2)
    try scene.run(
      "UPDATE learning.notifications SET state = 'sending', sending_at = due_at, epoch = 3, owner = '4711/0'"
    )
    let (path, apple) = (folder.path, Apple())
    let transport = ProviderTransport(
      [PushPlace(.apns): apple], remains: { JournalRemains.all(in: path) })

    _ = try write { journal in
      journal.attend("4711/0#3")
      journal.note(.leaving, "1/2026-03-01", of: "4711/0#3")
    }
    _ = try deliver(through: transport)

    #expect(try scene.state(of: 1) == "uncertain worker_lost")
    #expect(try scene.state(of: 2) == "sent")
    #expect(apple.sent.withLock(\.self) == ["2/2026-03-01"])
  }

  /// A provider that takes everything at once.
  private final class Apple: PushSender {
    let sent = Mutex<[String]>([])

    func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave { .now(wanted) }

    func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void) {
      sent.withLock { $0.append(push.id) }
      done(.sent)
    }
  }

  @Test func `a run that ends leaves nothing in the journal`() throws {
    try scene.addDue(1...3)
    var claim = ""
    let remains = try write { journal in
      let postbox = Postbox(staysInProcess: false, journal: journal)
      do {
        _ = try deliver(through: postbox)
        #expect(Set(postbox.claims).count == 1)
        claim = postbox.claims.first ?? ""
      } catch { Issue.record(error) }
    }

    let known = remains.map { $0.fate(of: "1/2026-03-01", claimedBy: claim) }
    #expect(claim.hasSuffix("#1"))
    #expect(known == [.unknown])
    #expect(try scene.states() == "sent 3")
  }
}
