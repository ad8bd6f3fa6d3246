internal import Glibc
internal import JobKit
internal import Postgres
internal import TestSupport
internal import Testing

/// Many sessions of an app ask for runs while daemons are killed.
@Suite("Requests under kills")
struct RequestKillTests {
  @Test func `1,000 requests with 100 keys come to 100 runs, each of which runs once`() async throws
  {
    let found = try await onOwnThread { try Self.ask() }

    #expect(found.ends.map { $0 & 0x7f } == [SIGKILL, SIGKILL, SIGKILL, 0])
    #expect(found.numbers == [100, 100, 100, 0, 1000, 1000])
    #expect(found.answers == 100)
  }

  private struct Found {
    let ends: [Int32]
    let numbers: [Int]

    /// How many of the answers said that their run was new.
    let answers: Int
  }

  private static func ask() throws -> Found {
    let rehearsal = try Rehearsal()
    var ends = [try rehearsal.daemon(dyingAt: "decide.committed").status()]
    let url = rehearsal.url
    let second = try rehearsal.daemon(dyingAt: "requests.due")
    // Nobody can ask for a job before a daemon has said which arguments it takes.
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.job WHERE requests IS NOT NULL")
    let sessions = (0..<20).map { session in TestThread { try ask(as: session, url) } }
    ends.append(try second.status())
    try rehearsal.passTime()
    ends.append(try rehearsal.daemon(dyingAt: "chunk.saved:30").status())
    try rehearsal.passTime()
    let answers = try sessions.map { try $0.value() }.reduce(0, +)
    let daemon = try rehearsal.daemon()
    try rehearsal.wait(for: 100, of: "\(Self.requests) AND state = 'succeeded'")
    ends.append(try rehearsal.rest(daemon))
    let numbers = try Self.counts.map { try rehearsal.number($0) }
    return Found(ends: ends, numbers: numbers, answers: answers)
  }

  /// Asks 50 times, each in a transaction of its own, every key from ten sessions; and takes some back.
  private static func ask(as session: Int, _ url: String) throws -> Int {
    let connection = try Connection(to: Server(url))
    var new = 0
    for number in 0..<50 {
      let key = (number * 7 + session * 13) % 50 + 50 * (session % 2)
      let isNew: Bool = try connection.run(
        """
        SELECT is_new FROM jobkit.request('rehearse', key => \("k\(key)"),
          at => timestamptz '2026-01-01 00:00Z' + \(key) * interval '1 minute')
        """
      ).only[0]
      if isNew { new += 1 }
      try connection.run(
        script: "BEGIN; SELECT jobkit.request('rehearse', key => 'gone \(session)'); ROLLBACK")
    }
    return new
  }

  private static let requests: Statement =
    "SELECT count(*) FROM jobkit.run WHERE trigger = 'request'"

  private static let chunks: Statement = """
    FROM rehearsal JOIN jobkit.run ON scheduled_for = moment WHERE trigger = 'request'
    """

  /// The runs, their keys, those that succeeded, those of requests that were taken back, and what they did: in all,
  /// and different things.
  private static let counts: [Statement] = [
    requests,
    "SELECT count(DISTINCT request_key) FROM jobkit.run",
    "\(requests) AND state = 'succeeded'",
    "\(requests) AND request_key LIKE 'gone%'",
    "SELECT count(*) \(chunks)",
    "SELECT count(DISTINCT (moment, part, chunk)) \(chunks)",
  ]
}
