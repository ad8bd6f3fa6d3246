@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite("What a daemon tells its listeners")
struct ListenerTests {
  private let site: Site
  private let listener = Listener()

  init() throws { site = try Site() }

  @Test func `its passes, its beats, each part from its beginning to its end, and the drain`()
    throws
  {
    let daemon = try site.daemon(heardBy: [listener]) { _ in Outcome("done") }

    daemon.start()
    try eventually { listener.heard.contains("ended sample: succeeded: done") }
    try eventually { listener.heard.contains("beat") }
    daemon.drain(within: .hang)

    let heard = listener.heard
    let began = try #require(heard.firstIndex(of: "began sample"))
    let ended = try #require(heard.firstIndex(of: "ended sample: succeeded: done"))
    #expect(began < ended)
    #expect(heard.first == "scheduled sample")
    #expect(heard.contains { $0.hasPrefix("tookSnapshot") })
    #expect(heard.contains("passed: 1 decided"))
    #expect(heard.contains("draining"))
  }

  @Test func `a connection that is lost, by the name of its loop`() throws {
    let daemon = try site.daemon(heardBy: [listener])
    daemon.start()
    try eventually { listener.heard.contains("beat") }

    try site.connect().run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND datname IS NOT NULL
      """)

    try eventually { listener.heard.contains("lost maintenance") }
    daemon.drain(within: .hang)
  }

  @Test func `a part that is taken back from a worker that went silent`() throws {
    let connection = try site.connect()
    try connection.run("INSERT INTO jobkit.job VALUES ('sample', now(), now())")
    try connection.run(
      """
      WITH run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at)
        VALUES ('sample', now(), 'manual', 'running', now(), 'test', now()) RETURNING id)
      INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until, started_at)
      SELECT id, 0, 'sample', 'running', now(), 'gone', now() - interval '1 minute', now() FROM run
      """)
    let daemon = try site.daemon(every: .seconds(3600), heardBy: [listener])

    daemon.start()

    try eventually { listener.heard.contains("rescued sample") }
    daemon.drain(within: .hang)
  }

  @Test func `a run that is written off because nobody was free to begin it in time`() throws {
    let connection = try site.connect()
    try connection.run("INSERT INTO jobkit.job VALUES ('sample', now(), now())")
    try connection.run(
      """
      WITH run AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, start_before)
        VALUES ('sample', now(), 'schedule', 'due', now(), 'test', now() - interval '1 minute')
        RETURNING id)
      INSERT INTO jobkit.part (run, number, job, state, not_before)
      SELECT id, 0, 'sample', 'due', now() FROM run
      """)
    let daemon = try site.daemon(every: .seconds(3600), heardBy: [listener])

    daemon.start()

    try eventually { listener.heard.contains("wrote off sample") }
    daemon.drain(within: .hang)
  }
}

/// Keeps what it hears, in words.
private final class Listener: DaemonListener {
  private let words = Mutex<[String]>([])

  var heard: [String] { words.withLock(\.self) }

  func handle(_ event: DaemonEvent) {
    let word =
      switch event {
      case .passed(let pass, _):
        "passed: \(pass.decided.reduce(0) { $0 + $1.ticks.count }) decided"
      case .scheduled(let jobs): "scheduled \(jobs.map(\.name.text).joined(separator: ", "))"
      case .tookSnapshot(let snapshot):
        "tookSnapshot \(snapshot.jobs.map(\.name.text).joined(separator: ", "))"
      case .maintained: "beat"
      case .began(let part): "began \(part.job)"
      case .ended(let turn): "ended \(turn.part.job): \(turn.end)"
      case .rescued(let job): "rescued \(job)"
      case .wroteOff(let job): "wrote off \(job)"
      case .lostConnection(let loop): "lost \(loop)"
      case .toldToEnd(let author): "told to end by \(author)"
      case .draining: "draining"
      }
    words.withLock { $0.append(word) }
  }
}
