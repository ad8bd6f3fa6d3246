import LocalTime
import TestSupport
import Testing

@testable import WorkerProgram

/// What the doctor sees of a host, in a state that makes each check speak.
@Suite("The doctor looks at the host")
struct DoctorHostTests {
  private let practice: Practice

  init() throws { practice = try Practice() }

  private var path: String { practice.folder.path }

  @Test(
    arguments: [
      (0o600, "ok: '…/password' has mode 600"), (0o640, "ok: '…/password' has mode 640"),
      (0o644, "problem: '…/password' has mode 644: others than its owner can read or change it"),
      (0o660, "problem: '…/password' has mode 660: others than its owner can read or change it"),
    ] as [(UInt32, String)])
  func `a password that others can read is a problem`(mode: UInt32, line: String) throws {
    let file = try practice.folder.write("secret\n", to: "password")
    try ChildProcess.run("/bin/chmod", [String(mode, radix: 8), file])
    let patient = try practice.patient("password_file = \"\(file)\"")

    let seen = PasswordFileCheck(variables: [:]).check(at: patient)

    #expect(seen.lines == [line.replacing("…", with: path)])
    #expect(seen[0].remedy == (mode & 0o027 == 0 ? nil : "chmod 600 \(file)"))
  }

  @Test func `the password is looked for where the daemon looks for it`() throws {
    let patient = try practice.patient()

    let nothing = PasswordFileCheck(variables: [:]).check(at: patient)
    let others = PasswordFileCheck(variables: ["CREDENTIALS_DIRECTORY": path]).check(at: patient)
    try practice.folder.write("secret\n", to: "database_password")
    let credential = PasswordFileCheck(variables: ["CREDENTIALS_DIRECTORY": path]).check(
      at: patient)
    let named = try practice.patient("password_file = \"\(path)/nowhere\"")
    let missing = PasswordFileCheck(variables: [:]).check(at: named)
    let inherited = PasswordFileCheck(variables: ["PGPASSWORD": "secret"]).check(at: patient)

    #expect(
      nothing.lines == [
        "ok: no password file is set: libpq looks for one (PGPASSFILE), or the role needs none"
      ])
    #expect(others.lines == nothing.lines, "a folder of credentials without this one")
    #expect(credential.lines == ["ok: '\(path)/database_password' has mode 600"])
    #expect(
      missing.lines == ["problem: cannot look at '\(path)/nowhere': no such file or directory"])
    #expect(
      inherited.lines == [
        "warning: the password stands in $PGPASSWORD, which children inherit and tools print"
      ])
  }

  @Test func `zone data of last year is old in summer`() throws {
    let zones = try ZoneFolder(of: "Europe/Berlin")
    let patient = try practice.patient(
      "[time]\nzone = \"Europe/Berlin\"\nzoneinfo = \"\(zones.path)\"")
    let yearEnd = try Instant("2025-12-31T12:00:00Z")

    let fresh = ZoneDataCheck().check(at: patient.later(by: yearEnd - patient.now))
    let old = ZoneDataCheck().check(
      at: patient.later(by: yearEnd + .seconds(86_400 * 200) - patient.now))

    #expect(fresh.lines == ["ok: '\(zones.path)' is release 2025b"])
    #expect(old.lines == ["warning: '\(zones.path)' is release 2025b, of at least 200 days ago"])
  }

  private func unit(_ text: String, dropping drop: String? = nil) throws -> [String] {
    let (etc, lib) = ("\(path)/etc", "\(path)/lib")
    try ChildProcess.run("/bin/mkdir", ["-p", "\(lib)", "\(etc)/worker.service.d"])
    try TextFile.write(text, to: "\(lib)/worker.service")
    if let drop { try TextFile.write(drop, to: "\(etc)/worker.service.d/local.conf") }
    return UnitFileCheck(folders: [etc, lib]).check(at: try practice.patient()).lines
  }

  @Test(arguments: [
    ("TimeoutStopSec=45", "", "ok: …: TimeoutStopSec 45s, drain 25s"),
    ("TimeoutStopSec=1min 30s", " --drain 60s", "ok: …: TimeoutStopSec 1m30s, drain 1m"),
    ("TimeoutStopSec=infinity", " --drain=2h", "ok: …: TimeoutStopSec infinity, drain 2h"),
    ("", "", "ok: …: TimeoutStopSec 1m30s, drain 25s"),
    ("Type=notify\nTimeoutStopSec=16", " --drain 2m", "ok: …: TimeoutStopSec 16s, drain 2m"),
    (
      "Type=notify\nTimeoutStopSec=15", " --drain 2m",
      "warning: …: TimeoutStopSec is 15s and the drain may take 2m"
    ),
    ("", " --drain 2m", "warning: …: TimeoutStopSec is 1m30s and the drain may take 2m"),
    (
      "Restart=always", "",
      "warning: …: Restart=always starts a daemon again that 'worker drain' has ended"
    ),
  ])
  func `a unit that kills a drain, or undoes it, is a warning`(
    line: String, option: String, seen: String
  ) throws {
    let lines = try unit("[Service]\nExecStart=/usr/bin/worker daemon\(option)\n\(line)\n")

    #expect(lines == [seen.replacing("…", with: "\(path)/lib/worker.service")])
  }

  @Test func `what was dropped in beside a unit counts, and without a unit it says so`() throws {
    let patient = try practice.patient()

    let dropped = try unit(
      "[Unit]\nTimeoutStopSec=1h\n[Service]\nTimeoutStopSec=1h\n",
      dropping: "[Service]\n# shorter\nTimeoutStopSec=30s\n")
    let none = UnitFileCheck(folders: [path]).check(at: patient)

    #expect(
      dropped == [
        "warning: \(path)/lib/worker.service: TimeoutStopSec is 30s and the drain may take 25s"
      ])
    #expect(
      none.lines == [
        "note: no unit worker.service is installed: whoever starts the daemon also ends it"
      ])
  }

  @Test func `the room on the disk of each folder of state is told`() throws {
    let patient = try practice.patient()

    let seen = StateFolderCheck(folders: "\(path):/nowhere/worker").check(at: patient)

    #expect(seen.count == 2)
    #expect(seen[0].saw.contains(/^'\S+' has \d+ MB and \d+ files free/))
    #expect(
      seen[1].saw
        == "there is no folder '/nowhere/worker': the daemon keeps its state in the database alone")
  }

  @Test(.enabled(if: SmallDisk.canBeMounted))
  func `a full disk is a problem`() throws {
    let disk = try SmallDisk(megabytes: 2)

    let seen = StateFolderCheck(folders: disk.path).check(at: try practice.patient())

    #expect(seen.map(\.severity) == [.problem])
    #expect(seen.map(\.remedy) == ["make room"])
  }

  @Test func `where pushes go is told, and that the log has no credentials`() throws {
    let rest = "this transport has no credentials, so none can expire, and no learner gets any push"

    let output = PushLogCheck().check(at: try practice.patient())
    let file = PushLogCheck().check(at: try practice.patient("[push]\nlog = \"\(path)/pushes\""))
    let nowhere = PushLogCheck().check(
      at: try practice.patient("[push]\nlog = \"/nowhere/pushes\""))

    #expect(
      output.lines == ["note: pushes go to the log of the daemon, without their texts: \(rest)"])
    #expect(file.lines == ["note: pushes go to the log '\(path)/pushes': \(rest)"])
    #expect(nowhere.lines == ["problem: this user cannot write pushes to '/nowhere/pushes'"])
  }
}
