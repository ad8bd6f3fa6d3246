import Config
import Glibc
import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import Settings
import TestKit
import TestSupport

@testable import CommandJobs

/// A job that runs a line of shell, as a text of settings describes it.
struct Described: Job {
  let definition: JobDefinition
  let job: any SettingsJob

  static func settings(_ text: String) -> SettingsText {
    var catalogue = Catalogue([])
    catalogue.kinds = [CommandJobKind()]
    return SettingsText(text, catalogue)
  }

  static func load(_ text: String) throws -> LoadedSettings { try settings(text).load() }

  /// All that is said against a text, with line and column.
  static func problems(in text: String) throws -> [String] { try settings(text).problems }

  /// The first job of a text.
  init(_ text: String) throws {
    let loaded = try Self.load(text)
    guard let job = loaded.described.first, let settings = loaded.settings.jobs.first else {
      throw NoJob()
    }
    self.job = job
    definition = JobDefinition(
      name: settings.name, purpose: job.definition.purpose, schedule: job.definition.schedule,
      policies: settings.policies, parts: settings.parts)
  }

  /// A job that runs a line of shell, which has these lines in its table besides; as root it is nobody's.
  static func shell(
    _ line: String, _ settings: String = "", tries: Int = 1
  ) throws -> Described {
    try Described(
      """
      [jobs.report]
      kind = "command"
      command = ["/bin/sh", "-c", '''\(line)''']
      every = "1d"
      tries = \(tries)
      \(userLine)
      \(settings)
      """)
  }

  /// What a job has to say of its user where the tests are root's.
  static var userLine: String { CommandUser.own == 0 ? "command_user = \"nobody\"" : "" }

  /// Whom its programs are run as, unless as whom the tests are.
  static var user: CommandUser? { CommandUser.own == 0 ? CommandUser(named: "nobody") : nil }

  func run(_ context: inout JobContext) throws -> Outcome { try job.run(&context) }

  private struct NoJob: Error {}
}

extension Stage {
  /// Runs a line of shell to its end; gives the state of the run and what the part says of it.
  func end(of job: Described) throws -> (state: String, error: String, output: String) {
    let run = try self.run(job)
    let error = try text("SELECT coalesce(max(error), '') FROM jobkit.part WHERE run = \(run.id)")
    let output = try Ledger.outputs(of: run.id, on: connection).first?.text ?? "none"
    return (run.state.rawValue, error, output)
  }

  /// Works at what is due, and asks something of the part when `file` is there.
  func work(
    at job: Described, lease: Duration = .seconds(15), once file: String,
    _ act: @escaping @Sendable (ActiveParts) -> Void
  ) throws -> String {
    let definition = job.definition
    let request = Ledger.RunRequest(
      definition.name, for: try now, parts: 1, policies: definition.policies, by: "test")
    _ = try Ledger.enter(request, at: now, on: connection)
    var worker = try worker(
      1, WorkerPool.Member(job: job, policies: definition.policies), lease: lease)
    let parts = worker.activeParts
    let asking = TestThread {
      try eventually { (try? TextFile.read(file)) != nil }
      act(parts)
    }
    let ends = try worker.work().map { "\($0.end)" }
    try asking.value()
    return ends.joined(separator: ", ")
  }
}

/// A folder into which programs of any user may write.
struct OpenFolder {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    unsafe chmod(folder.path, 0o777)
  }

  var path: String { folder.path }

  static func isThere(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  func read(_ name: String) throws -> String { try TextFile.read("\(path)/\(name)") }

  /// The number of a process that a program has written to a file.
  func process(_ name: String) throws -> Int32 {
    try Int32(read(name).filter(\.isNumber)) ?? 0
  }

  /// Whether there is no such process any more.
  func isGone(_ name: String) throws -> Bool {
    let number = try process(name)
    return number > 0 && kill(number, 0) != 0 && errno == ESRCH
  }
}
