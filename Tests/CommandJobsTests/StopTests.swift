import Glibc
import JobKit
import Ledger
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@Suite("Stop a program of a job")
struct StopTests {
  private let stage: Stage
  private let folder: OpenFolder

  init() throws {
    (stage, folder) = (try Stage(at: "2026-03-01T03:30:00Z"), try OpenFolder())
  }

  /// A program that says who it is when it is ready, and then only waits.
  private func waiting(_ first: String = "", _ settings: String = "") throws -> Described {
    try .shell(
      "\(first)\necho $$ >\(folder.path)/new; mv \(folder.path)/new \(folder.path)/ready;"
        + " while :; do sleep 1; done", settings)
  }

  private var ready: String { "\(folder.path)/ready" }

  @Test func `a cancelled run asks its program to end`() throws {
    let job = try waiting("trap 'echo asked; exit 0' TERM")

    let end = try stage.work(at: job, once: ready) { $0.ask(.cancelled) }

    #expect(end == "cancelled")
    // Beside it the shell may tell that what it waited for was ended, too.
    #expect(try stage.text("SELECT text FROM jobkit.output").contains("asked\n"))
  }

  @Test func `a program that ignores SIGTERM is killed when its time is over`() throws {
    let job = try waiting("trap '' TERM", "kill_after = \"1s\"")

    let end = try stage.work(at: job, once: ready) { $0.ask(.cancelled) }

    #expect(end == "cancelled")
    #expect(try folder.isGone("ready"))
  }

  @Test func `a drain lets a program come to its end, and its cut ends it`() throws {
    let job = try waiting()

    let end = try stage.work(at: job, once: ready) { parts in
      parts.ask(.drained)
      parts.cut(.drained)
    }

    #expect(end == "released")
    #expect(try folder.isGone("ready"))
    #expect(try stage.text("SELECT state FROM jobkit.part") == "due")
  }

  @Test func `a program that ends while the daemon drains has ended well`() throws {
    let job = try Described.shell("touch \(ready); until [ -e \(folder.path)/go ]; do :; done")

    let end = try stage.work(at: job, once: ready) { [folder] parts in
      parts.ask(.drained)
      try? TextFile.write("", to: "\(folder.path)/go", mode: 0o644)
    }

    #expect(end == "succeeded: exit 0")
  }

  @Test func `a lost fence kills the program at once, and writes nothing`() throws {
    let job = try waiting("trap '' TERM")
    let database = stage.database

    let end = try stage.work(at: job, once: ready) { parts in
      _ = try? database.connect().run("UPDATE jobkit.part SET epoch = epoch + 1")
      parts.cut(.fenceLost)
    }

    #expect(end.hasPrefix("part 0 of run 1 is no longer ours"))
    #expect(try folder.isGone("ready"))
    #expect(try stage.count("SELECT count(*) FROM jobkit.output") == 0)
  }

  @Test func `a program whose lease nobody extends is dead before it is over`() throws {
    let job = try waiting("trap '' TERM")

    let end = try stage.work(at: job, lease: .seconds(2), once: ready) { _ in }

    #expect(end.hasPrefix("part 0 of run 1 is no longer ours"))
    #expect(try folder.isGone("ready"))
  }

  @Test func `a program whose guard is killed has failed, whatever a child of its holds open`()
    throws
  {
    let child = "\(folder.path)/child"
    let job = try Described.shell(
      "echo $PPID >\(folder.path)/guard; setsid sh -c 'echo $$ >\(child); exec sleep 300' &"
        + " until [ -s \(child) ]; do :; done; mv \(child) \(ready); wait")

    let end = try stage.work(at: job, once: ready) { [folder] _ in
      _ = (try? folder.process("guard")).map { kill($0, SIGKILL) }
    }
    _ = kill(try folder.process("ready"), SIGKILL)

    #expect(end.hasPrefix("failed: "), "\(end)")
  }

  @Test func `a second word to end is no second SIGTERM`() throws {
    let job = try waiting(
      "trap 'echo asked >>\(folder.path)/asked' TERM", "kill_after = \"2s\"")

    let end = try stage.work(at: job, once: ready) { parts in
      try? eventually {
        parts.ask(.cancelled)
        return parts.isEmpty
      }
    }

    #expect(end == "cancelled")
    #expect(try folder.read("asked") == "asked\n")
  }

  @Test func `a program that takes longer than its limit fails`() throws {
    let job = try waiting("", "hard_limit = \"1s\"")

    let end = try stage.work(at: job, once: ready) { _ in }

    #expect(end == "failed: took longer than 1 s")
    #expect(try folder.isGone("ready"))
  }
}
