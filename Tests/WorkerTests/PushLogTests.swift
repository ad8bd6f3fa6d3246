import Glibc
import Postgres
import Push
import TestSupport
import Testing

@testable import WorkerProgram

/// The file of the settings to which pushes are written, in the hands of the real program.
@Suite("Where pushes are written")
struct PushLogTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
  }

  private func worker(_ words: String..., log: String) throws -> Program {
    let file = try folder.write(
      "[database]\nurl = \"\(database.url)\"\n[push]\nlog = \"\(log)\"\n", to: "worker.toml",
      mode: 0o644)
    return try Program(
      words: words, variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo])
  }

  private var runs: Int {
    get throws { try database.connect().run("SELECT count(*) FROM jobkit.run").only[0] }
  }

  @Test func `a daemon that cannot write there does not begin, and calls its settings wrong`()
    throws
  {
    let daemon = try worker("daemon", log: "/nowhere/pushes")

    #expect(daemon.errors.contains(Self.refusal))
    #expect(daemon.exitCode == 78)
  }

  @Test func `nor does a run by hand of the job that sends them`() throws {
    let run = try worker("run", "deliver_pushes", log: "/nowhere/pushes")

    #expect(run.errors == "worker: \(Self.refusal)\n")
    #expect(run.exitCode == 78)
    #expect(try runs == 0)
  }

  @Test func `who only asks whether a daemon could start hears it, and starts none`() throws {
    let able = try worker("daemon", "--check", log: "\(folder.path)/pushes")
    let unable = try worker("daemon", "--check", log: "/nowhere/pushes")
    try database.connect().run(
      "DELETE FROM jobkit.migration WHERE version = (SELECT max(version) FROM jobkit.migration)")
    let behind = try worker("daemon", "--check", log: "\(folder.path)/pushes")

    #expect(able.exitCode == 0 && able.errors.isEmpty, "\(able.errors)")
    #expect(unable.exitCode == 78 && unable.errors.contains(Self.refusal))
    #expect(behind.exitCode == 75 && behind.errors.contains("1 migration is missing (jobkit "))
    #expect(try database.connect().run("SELECT count(*) FROM jobkit.daemon").only[0] == 0)
  }

  private static let refusal =
    "cannot write pushes to '/nowhere/pushes': no such file or directory; let this user write there, or"
    + " name another file in 'push.log'"

  @Test(arguments: [
    (EACCES, ExitCode.configuration), (EISDIR, .configuration), (EROFS, .refusedForNow),
  ])
  func `what a disk refuses for now is no mistake of the settings`(number: Int32, code: ExitCode) {
    #expect(Failure(PushLog.Unopened(path: "/var/pushes", number: number)).exitCode == code)
  }

  @Test func `a file that was cut off meanwhile goes on from its beginning`() throws {
    let path = try folder.write("", to: "pushes", mode: 0o644)
    let transport = try PushLog(appendingTo: path).transport
    _ = transport.send([push("17/2026-03-01")])
    _ = unsafe truncate(path, 0)

    _ = transport.send([push("18/2026-03-01")])

    #expect(try TextFile.read(path).hasPrefix("push id=\"18/2026-03-01\""))
  }

  @Test func `a line that somebody left torn is ended before the next begins`() throws {
    let path = try folder.write("push id=\"16/2026-03-01\" to=ap", to: "pushes", mode: 0o644)

    let deliveries = try PushLog(appendingTo: path).transport.send([push("17/2026-03-01")])
    _ = try PushLog(appendingTo: path).transport.send([push("18/2026-03-01")])

    let lines = try TextFile.read(path).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(deliveries == [.sent])
    let ids = lines.map { $0.split(separator: "\"").dropFirst().first ?? "" }
    #expect(ids == ["16/2026-03-01", "17/2026-03-01", "18/2026-03-01", ""])
  }

  @Test func `a pipe is given whole lines, as many as it takes at once or not at all`() {
    let line = String(repeating: "x", count: 999) + "\n"
    let texts = [
      line, String(repeating: line, count: 9), String(repeating: "y", count: 5000) + "\n" + line,
    ]

    let pieces = texts.map { text in
      unsafe Array(text.utf8).withUnsafeBufferPointer { bytes in
        var (start, pieces) = (0, [Int]())
        while start < bytes.count {
          pieces.append(unsafe PushLog.piece(of: bytes, from: start))
          start += pieces.last ?? bytes.count
        }
        return pieces
      }
    }

    #expect(pieces == [[1000], [4000, 4000, 1000], [5001, 1000]])
  }

  @Test func `a pipe that nobody reads is refused, and not waited for`() throws {
    let path = "\(folder.path)/pipe"
    try ChildProcess.run("/usr/bin/mkfifo", [path])

    let error = #expect(throws: PushLog.Unopened.self) { try PushLog(appendingTo: path) }

    #expect(
      error?.description
        == "cannot write pushes to '\(path)': no such device or address; nobody reads this pipe: begin"
        + " to, or name another file in 'push.log'")
    #expect(error.map { Failure($0).exitCode } == .refusedForNow)
  }

  private func push(_ id: String) -> PushMessage {
    PushMessage(
      id: id, token: PushToken("secret"), title: "Day 5", body: "One sentence.",
      link: "app://session/warmup", expiresAt: 1_773_000_000)
  }

  @Test func `another job needs no such file`() throws {
    let run = try worker("run", "refresh_leaderboard", log: "/nowhere/pushes")

    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try runs == 1)
  }

  @Test func `a dry run makes none`() throws {
    let path = "\(folder.path)/pushes"

    let dry = try worker("run", "deliver_pushes", "--dry-run", log: path)
    let isThere = (try? TextFile.read(path)) != nil

    #expect(dry.exitCode == 0, "\(dry.output)\(dry.errors)")
    #expect(!isThere)
  }
}
