internal import JobKit
internal import LocalTime
internal import Postgres
internal import TestSupport
internal import Testing

@testable import WorkerProgram

/// Installations for the doctor to look at.
struct Practice {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// An installation with these settings besides the database's address.
  func patient(at url: String = "host=/nowhere", _ settings: String = "") throws -> Patient {
    let file = try settingsFile(at: url, settings)
    return try #require(ConfigurationCheck().check(at: file).patient)
  }

  func settingsFile(at url: String, _ settings: String) throws -> SettingsFile {
    let path = try folder.write(
      "[database]\nurl = \"\(url)\"\n\(settings)\n", to: "worker.toml", mode: 0o644)
    return SettingsFile(try Arguments(["--config", path], of: .doctor))
  }

  /// Runs `worker doctor` to its end.
  func doctor(at url: String, _ words: String..., settings: String = "") throws -> Program {
    try doctor(at: url, words, settings: settings)
  }

  func doctor(at url: String, _ words: [String], settings: String = "") throws -> Program {
    let file = try settingsFile(at: url, settings).path
    return try Program(
      words: ["doctor", "--config", file] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])
  }
}

extension Patient {
  /// The same, looked at when the zone data is so much older.
  func later(by duration: Duration) -> Patient {
    Patient(loaded: loaded, server: server, now: now + duration)
  }
}

extension [Observation] {
  /// Each in one line: how bad it is, and what was seen.
  var lines: [String] { map { "\($0.severity): \($0.saw)" } }
}
