import JobKit
import Ledger
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("What becomes of a program of a job")
struct ProgramEndTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T03:30:00Z") }

  @Test func `exit 0 is success, and what was printed to either stream is kept`() throws {
    let end = try stage.end(of: .shell("echo one; echo two >&2"))

    #expect(end.state == "succeeded")
    #expect(end.output == "one\ntwo\n")
  }

  @Test(arguments: [1, 3, 127, 255])
  func `any other code fails at once, however often the job may be tried`(code: Int) throws {
    let end = try stage.end(of: .shell("echo bad luck; exit \(code)", tries: 5))

    #expect(end.state == "failed")
    #expect(end.error == "exit \(code): bad luck")
  }

  @Test func `exit 75 asks for another try, and a code that is none does not`() throws {
    let allow = "overlap = \"allow\""
    let again = try stage.run(try .shell("exit 75", allow, tries: 5) as Described)
    let failed = try stage.run(try .shell("exit 74", allow, tries: 5) as Described)

    #expect(again.state == .running && failed.state == .failed)
    #expect(
      try stage.text("SELECT error FROM jobkit.part WHERE run = \(again.id) AND state = 'due'")
        == "exit 75")
  }

  @Test func `a program that dies by a signal says by which`() throws {
    let end = try stage.end(of: .shell("kill -SEGV $$"))

    #expect(end.state == "failed" && end.error == "killed by SIGSEGV")
  }

  @Test func `binary output becomes a text that the ledger takes`() throws {
    let end = try stage.end(of: .shell("printf 'a\\377\\000b'"))

    #expect(end.state == "succeeded" && end.output == "a\u{FFFD}\u{FFFD}b")
  }

  @Test func `of an endless output the last 64 KiB are kept`() throws {
    let end = try stage.end(of: .shell("yes | head -c 3000000; echo the end"))

    #expect(end.state == "succeeded")
    #expect(end.output.utf8.count == 65_536 && end.output.hasSuffix("y\nthe end\n"))
  }

  @Test func `a program that cannot be started says why, and is tried again`() throws {
    let job = try Described(
      """
      [jobs.report]
      kind = "command"
      command = ["/nowhere/report"]
      every = "1d"
      \(Described.userLine)
      """)
    let run = try stage.run(job)

    #expect(run.state == .running)
    #expect(
      try stage.text("SELECT error FROM jobkit.part")
        == "it cannot be started: no such file or directory")
  }

  @Test func `what a program leaves running ends with it, in whatever session it is`() throws {
    let folder = try OpenFolder()
    let end = try stage.end(
      of: .shell(
        """
        setsid sh -c 'setsid sh -c "echo \\$\\$ >\(folder.path)/late; exec sleep 1000" & \
        echo $$ >\(folder.path)/early; exec sleep 1000' >/dev/null 2>&1 &
        until [ -s \(folder.path)/late ] && [ -s \(folder.path)/early ]; do :; done
        """))

    #expect(end.state == "succeeded")
    #expect(try folder.isGone("early") && folder.isGone("late"))
  }
}
