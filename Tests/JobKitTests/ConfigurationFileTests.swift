import Config
import FoundationEssentials
import Jobs
import LocalTime
import Testing

@testable import JobKit
@testable import Settings

/// `config/worker.toml` is the page that operators read: it must be true.
@Suite struct ConfigurationFileTests {
  private let text: String

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    text = try String(contentsOfFile: "/\(root)/config/worker.toml", encoding: .utf8)
  }

  private func load(_ text: String) throws -> LoadedSettings {
    let zones = try SampleSettings.zones.get()
    var catalogue = Catalogue(learningDefinitions, rules: learningSettings)
    catalogue.apps = [learningApp]
    return try Settings.load(text, file: "worker.toml", catalogue: catalogue) {
      _ throws(ZoneError) in zones
    }
  }

  @Test func `the file equals the defaults`() throws {
    let written = try load(text)

    #expect(written.settings == (try load("").settings))
    #expect(written.settings.changes(since: try load("").settings) == [])
    #expect(written.warnings == [])
  }

  @Test func `the example of a calendar works as it stands, once it is no comment`() throws {
    let example = text.replacing("\n#   [calendars", with: "\n[calendars")
      .replacing("\n#   days", with: "\ndays")
      .replacing("except = []", with: "except = [\"holidays\"]")

    let job = try #require(try load(example).settings.jobs.first)

    let reasons = try ["2027-01-02T23:59:59Z", "2030-12-25T00:00:00Z", "2026-04-04T00:00:00Z"].map {
      job.schedule.exclusions.reason(at: try Instant($0))
    }
    #expect(
      reasons == [
        "2027-01-02 is in the calendar 'holidays'", "2030-12-25 is in the calendar 'holidays'", nil,
      ])
  }

  @Test func `every setting the code reads is in the file`() throws {
    let settings = Set(keys(of: TomlDocument(text).root).map(withoutJob))

    #expect(Set(try load(text).known.map(\.name).map(withoutJob)).subtracting(settings) == [])
  }

  @Test func `what a job has and its table does not show is what the first table shows`() throws {
    let written = Set(keys(of: TomlDocument(text).root))
    let jobs = try load("").settings.jobs
    let shown = Dictionary(
      uniqueKeysWithValues: try #require(jobs.first).listing().map {
        (withoutJob($0.name), $0.value)
      })

    for line in jobs.flatMap({ $0.listing() }) where !written.contains(line.name) {
      #expect(line.value == shown[withoutJob(line.name)], "\(line.name) is \(line.value)")
    }
  }

  @Test func `the file names every job`() throws {
    #expect(tables == learningDefinitions.map { "jobs.\($0.name)" })
  }

  @Test func `a setting of every job is said once, but where a job has it otherwise`() throws {
    let values = try load("").settings.jobs.flatMap { $0.listing() }
    let first = try #require(tables.first)
    let standard = values.filter { $0.name.hasPrefix(first + ".") }

    for key in keys(of: TomlDocument(text).root) where !key.hasPrefix(first + ".") {
      let value = values.first { $0.name == key }?.value
      let same = standard.first { withoutJob($0.name) == withoutJob(key) }
      #expect(value == nil || value != same?.value, "\(key) is as in [\(first)]")
    }
  }

  private var tables: [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("[jobs.") }
      .map { String($0.dropFirst().dropLast()) }
  }

  @Test func `every setting in the file is explained above it`() {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var explained = Set<String>()
    var isExplained = false
    for line in lines {
      let key = line.prefix { $0 != " " }
      if line.hasPrefix("#") { isExplained = true }
      if line.isEmpty { isExplained = false }
      if line.contains(" = "), !line.hasPrefix("#") {
        #expect(isExplained || explained.contains(String(key)), "\(key) is explained nowhere")
        explained.insert(String(key))
      }
    }
    #expect(explained.count > 15)
  }

  @Test func `a job's purpose stands above its table`() {
    for job in learningDefinitions {
      let sentence = "# " + job.purpose.prefix(1).uppercased() + job.purpose.dropFirst() + "."

      #expect(text.contains("\n\(sentence)\n[jobs.\(job.name)]\n"))
    }
  }

  /// The names of all values in a table, such as "log.level".
  private func keys(of table: TomlTable, below path: String = "") -> [String] {
    table.entries.flatMap { entry in
      guard case .table(let inner) = entry.value.content else { return [path + entry.key] }
      return keys(of: inner, below: path + entry.key + ".")
    }
  }

  private func withoutJob(_ name: String) -> String {
    let parts = name.split(separator: ".")
    return parts.first == "jobs" ? "jobs.…." + (parts.last ?? "") : name
  }
}
