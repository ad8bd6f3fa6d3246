import Config
internal import JobKit
import Settings
internal import TestSupport
import Testing

@testable import WorkerProgram

@Suite("worker manual")
struct ManualTests {
  /// As whoever builds a package calls it.
  private static let built = ["SOURCE_DATE_EPOCH": "1795205354"]

  @Test(arguments: ["worker", "worker.toml"])
  func `neither man's own checker nor groff has a remark on a page`(page: String) throws {
    for checker in [
      "mandoc -T lint -W warning", "groff -man -ww -T utf8 -z", "man --warnings -l -Z",
    ] {
      let program = try Program(
        shell: "{ \"$PROGRAM\" manual \(page) | \(checker) /dev/stdin >&2; }",
        variables: Self.built.merging(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { one, _ in
          one
        })

      let said = program.errors.split(separator: "\n").filter {
        $0.contains("warning") || $0.contains("mandoc:")
      }
      #expect(said == [], "\(checker)")
    }
  }

  @Test func `worker(1) has all that each command's help says`() throws {
    let page = try shown("worker")

    for command in Command.all {
      #expect(page.contains(command.usage.onOneLine))
      for paragraph in command.discussion.paragraphs { #expect(page.contains(paragraph.onOneLine)) }
      for option in command.allOptions {
        #expect(page.contains("\(option.usage) \(option.help)".onOneLine))
      }
      for example in command.examples { #expect(page.contains(example.line.onOneLine)) }
    }
    for code in ExitCode.allCases { #expect(page.contains("\(code.rawValue) \(code.meaning)")) }
  }

  @Test func `worker.toml(5) has each setting with its default and what else may be written`()
    throws
  {
    let page = try shown("worker.toml")

    let known = Settings.known(to: ProgramJobs.catalogue)
    #expect(known.contains { $0.name == "jobs.settle_rewards.every" })
    for setting in known {
      let key = setting.name.split(separator: ".").last ?? ""
      #expect(page.contains(" \(key) = "), "\(setting.name)")
      #expect(page.contains("rite \(setting.wanted.onOneLine)."), "\(setting.name)")
    }
    #expect(!page.contains("rite ."))
    for line in try TextFile.read("config/worker.toml").split(separator: "\n") where !line.isEmpty {
      let words = line.drop { $0 == "#" || $0 == " " }.replacing("`", with: "")
      #expect(page.contains(words.onOneLine), "\(line)")
    }
  }

  @Test func `docs-configuration is what the program says of its settings`() throws {
    let written = try TextFile.read("docs/configuration.md")

    #expect(
      written == (try Program("manual", "worker.toml", "--markdown").output),
      "renew it: worker manual worker.toml --markdown >docs/configuration.md")
  }

  @Test func `the page bears the date that whoever builds it gives, or none`() throws {
    let dated = try Program(words: ["manual"], variables: Self.built).output

    #expect(dated.contains("\n.TH WORKER 1 \"2026-11-20\" \"worker \(Build.version)\"\n"))
    #expect(
      try Program("manual").output.contains("\n.TH WORKER 1 \"\" \"worker \(Build.version)\"\n"))
  }

  @Test func `its JSON has each setting with what it means`() throws {
    let program = try Program("manual", "worker.toml", "--json")

    #expect(program.output.hasPrefix("{\n  \"name\": \"worker.toml\",\n  \"section\": 5,\n"))
    #expect(program.output.contains(#""workers = 4""#))
    #expect(program.output.contains("Write a whole number from 1 to 64, such as 4.\""))
    #expect(program.exitCode == 0)
  }

  @Test func `a page that there is not is refused`() throws {
    let program = try Program("manual", "daemon")

    #expect(
      program.errors == "worker: 'daemon': write worker or worker.toml; "
        + "'worker manual --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }

  @Test func `nothing that a text says is a command to man`() {
    let page = Manual(
      name: "sample", section: 1, summary: "a-b",
      blocks: [
        .heading("Text"), .paragraph(".PP 'x' \\n \"q\" `--all` … ^~"), .lines([".de x", "'br"]),
        .term([".a \"b\""], "it's"),
      ])

    #expect(
      page.roff(date: "").split(separator: "\n").dropFirst(4) == [
        ".SH NAME", "sample \\- a\\-b", ".SH \"TEXT\"",
        "\\&.PP \\(aqx\\(aq \\en \\(dqq\\(dq \\fB\\-\\-all\\fR \\[u2026] \\(ha\\(ti",
        ".PP", ".RS 4", ".nf", "\\&.de x", "\\(aqbr", ".fi", ".RE", ".TP", ".B \".a \\(dqb\\(dq\"",
        "it\\(aqs",
      ])
  }

  /// A page as a terminal shows it, its words with one blank between them.
  private func shown(_ page: String) throws -> String {
    let program = try Program(
      shell: "{ \"$PROGRAM\" manual \(page) | mandoc -T utf8 -O width=1000 | col -bx; }",
      variables: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    return program.output.onOneLine
  }
}

extension StringProtocol {
  /// The words with one blank between them.
  fileprivate var onOneLine: String {
    split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }
}
