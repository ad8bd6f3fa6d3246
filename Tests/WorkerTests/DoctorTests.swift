import Postgres
import TestSupport
import Testing

@testable import worker

/// The doctor as an operator meets it: the whole report, its order and its end.
@Suite("worker doctor")
struct DoctorTests {
  private let practice: Practice

  init() throws { practice = try Practice() }

  @Test func `without a database it says so first, and looks at what needs none`() throws {
    let program = try practice.doctor(at: "host=\(practice.folder.path)")

    let lines = program.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("problem  database: cannot reach Postgres at "))
    #expect(lines[1] == "         why: everything that the worker promises is a row there")
    #expect(lines[2] == "         do: see to the database first, then ask again")
    #expect(
      program.output.contains("\nnote     clock: not looked at: the database does not answer\n"))
    #expect(program.output.contains(/\nok +password: no password file is set:/))
    #expect(lines.last?.hasPrefix("1 problem, ") == true)
    #expect(program.errors.isEmpty && program.exitCode == 1)
  }

  @Test func `settings that cannot be read hide nothing but what needs them`() throws {
    let program = try practice.doctor(at: "host=/nowhere", settings: "evry = 1")

    let file = "\(practice.folder.path)/worker.toml"
    #expect(
      program.output.hasPrefix(
        "problem  configuration: \(file):3:1: unknown setting 'database.evry': "))
    #expect(
      program.output.contains("\nnote     unit: not looked at: the settings cannot be read\n"))
    #expect(program.exitCode == 1)
  }

  @Test func `every check has its line, and JSON has the same`() throws {
    let database = try TestDatabase()

    let text = try practice.doctor(at: database.url)
    let json = try practice.doctor(at: database.url, "--json")

    for name in Doctor.names {
      #expect(text.output.contains(" \(name): "), "\(name)")
      #expect(json.output.contains("\"check\": \"\(name)\""), "\(name)")
    }
    #expect(text.output.contains(" migrations of the schema 'jobkit' missing: jobkit 1–"))
    #expect(json.output.hasPrefix("{\n  \"ok\": false,\n  \"findings\": ["))
    #expect(json.output.contains("\"do\": \"run 'worker migrate up' as the owner of the schema\""))
    #expect(text.exitCode == 1 && json.exitCode == 1)
  }

  @Test func `one check can be made alone, and one that does not exist is refused`() throws {
    let database = try TestDatabase()

    let clock = try practice.doctor(at: database.url, "--only", "clock")
    let wrong = try practice.doctor(at: database.url, "--only", "clok")

    #expect(
      clock.output.contains(/^ok +clock: this host's clock is .* the database's, give or take \d/))
    #expect(clock.output.hasSuffix("\n\n0 problems, 0 warnings, 0 notes, 1 ok\n"))
    #expect(clock.exitCode == 0)
    #expect(
      wrong.errors == "worker: '--only clok': did you mean 'clock'?"
        + " 'worker doctor --help' shows what can be written\n")
    #expect(wrong.exitCode == 64)
  }
}
