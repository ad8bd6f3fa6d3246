import Glibc
import JobKit
import Postgres
import TestSupport
import Testing

/// A job that runs a program in the real program, whose daemon is killed or frozen.
@Suite("Kill a daemon beside its program")
struct CommandJobKillTests {
  private static let places: [Failpoint] = [
    .claimClaimed, .chunkBegun, .chunkWorked, .chunkSaved, .chunkCommitted, .finishBegun,
    .finishWritten,
  ]

  @Test(arguments: places)
  func `a run that is killed there is done by the next, whose program is alone`(
    place: Failpoint
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: place) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.state == "succeeded" && end.output == "done\n")
    // Where the end was committed, nobody runs it again.
    #expect(end.starts == (place == .claimClaimed || place == .finishWritten ? 1 : 2))
  }

  private struct End {
    let status: Int32
    let state: String
    let output: String
    let starts: Int
  }

  private static func end(of place: Failpoint) throws -> End {
    let scene = try CommandScene("echo start >>$DIR/starts; echo done")
    let status = try scene.rehearsal.start(
      ["run", "report"], variables: ["WORKER_FAILPOINT=\(place.rawValue)"]
    ).status()
    try scene.rehearsal.awaitEndOfSessions()
    try scene.rehearsal.passTime()
    _ = try scene.rehearsal.start(["run", "report", "--resume"]).status()
    return End(
      status: status, state: try scene.text("SELECT max(state) FROM jobkit.run"),
      output: try scene.text("SELECT max(text) FROM jobkit.output"),
      starts: try scene.read("starts").split(separator: "\n").count)
  }

  @Test func `the program of a daemon that is killed dies with it, and all that it has started`()
    async throws
  {
    try await onOwnThread {
      let scene = try CommandScene(
        """
        trap "" TERM HUP
        setsid sh -c "echo \\$\\$ >$DIR/grandchild; exec sleep 1000" </dev/null >/dev/null 2>&1 &
        until [ -s $DIR/grandchild ]; do :; done
        echo $$ >$DIR/program
        while :; do sleep 1; done
        """)
      let daemon = try scene.rehearsal.start(["run", "report"])
      try eventually { try scene.process("program") != nil }

      daemon.send(SIGKILL)
      try daemon.status()

      try eventually { try scene.isGone("program") && scene.isGone("grandchild") }
    }
  }

  @Test func `the program of a frozen daemon is dead before another is begun`() async throws {
    try await onOwnThread {
      // Whoever comes second looks whether the first is still there.
      let scene = try CommandScene(
        """
        trap "" TERM
        if [ -s $DIR/program ]; then
          if kill -0 $(cat $DIR/program) 2>/dev/null; then echo beside; else echo alone; fi
          exit 0
        fi
        echo $$ >$DIR/program
        while :; do sleep 1; done
        """)
      let lease = ["WORKER_REHEARSAL_LEASE=4s"]
      let frozen = try scene.rehearsal.start(["run", "report"], variables: lease)
      try eventually { try scene.process("program") != nil }
      frozen.send(SIGSTOP)
      let heir = try scene.rehearsal.start(["daemon"], variables: lease)

      try scene.rehearsal.wait(
        for: 1, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")

      #expect(try scene.text("SELECT text FROM jobkit.output") == "alone\n")
      frozen.send(SIGCONT)
      #expect(try frozen.status() & 0x7f == 0)
      #expect(try scene.text("SELECT text FROM jobkit.output") == "alone\n")
      heir.send(SIGTERM)
      #expect(try heir.status() == 0)
    }
  }
}

/// A database in which the job `report` runs a script.
private struct CommandScene {
  let rehearsal: Rehearsal
  private let folder: ScratchFolder

  init(_ script: String) throws {
    (rehearsal, folder) = (try Rehearsal(of: "report"), try ScratchFolder())
    unsafe chmod(folder.path, 0o777)
    let user = geteuid() == 0 ? "command_user = \"nobody\"" : ""
    try rehearsal.set(
      """
      [jobs.report]
      kind = "command"
      command = ["/bin/sh", "-c", '''
      \(script)
      ''']
      environment = { DIR = "\(folder.path)" }
      every = "365d"
      kill_after = "1s"
      \(user)
      """)
  }

  func read(_ name: String) throws -> String { try TextFile.read("\(folder.path)/\(name)") }

  func text(_ statement: Statement) throws -> String {
    try Connection(to: Server(rehearsal.url)).run(statement).only[0]
  }

  /// The process whose number a script has written to a file; nothing before it has.
  func process(_ name: String) throws -> Int32? {
    (try? read(name)).flatMap { Int32($0.filter(\.isNumber)) }
  }

  func isGone(_ name: String) throws -> Bool {
    guard let number = try process(name) else { return false }
    return kill(number, 0) != 0 && errno == ESRCH
  }
}
