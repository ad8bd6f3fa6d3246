import Config
import Jobs
import LocalTime
import TestKit
import Testing

@testable import JobKit
@testable import Settings

/// `[apps]` switches the jobs, the rules and the tables of an app on and off together.
@Suite("Apps in the settings")
struct AppSettingsTests {
  private func load(_ text: String, included isIncluded: Bool = true) throws -> LoadedSettings {
    var catalogue = Catalogue(
      isIncluded ? learningDefinitions : [], rules: isIncluded ? learningSettings : [])
    var app = learningApp
    app.isIncluded = isIncluded
    catalogue.apps = [app]
    return try SettingsText(text, catalogue).load()
  }

  private func problems(_ text: String, included: Bool) -> [String] {
    do {
      _ = try load(text, included: included)
      return []
    } catch {
      return (error as? SettingsError)?.problems.map(\.description) ?? ["\(error)"]
    }
  }

  @Test func `an app is on unless the settings say otherwise, and its listing says which`() throws {
    #expect(
      try load("").settings.listing.contains { $0.name == "apps.learning" && $0.value == "true" })
    let off = try load("[apps]\nlearning = false\n", included: false).settings
    #expect(off.listing.contains { $0.name == "apps.learning" && $0.value == "false" })
    #expect(off.jobs.isEmpty)
  }

  @Test func `settings and jobs of an app that is off are refused by its name`() {
    let text =
      "[apps]\nlearning = false\n[push]\ngap = \"4h\"\n[jobs.deliver_pushes]\nenabled = true\n"

    #expect(
      problems(text, included: false) == [
        "worker.toml:3:2: 'push' is of the app 'learning', which is off: take it out, or write"
          + " 'learning = true' below [apps]",
        "worker.toml:5:7: 'jobs.deliver_pushes' is of the app 'learning', which is off: take it out,"
          + " or write 'learning = true' below [apps]",
      ])
  }

  @Test func `an app that is switched on while its process runs without it waits for a start`() {
    let text = "[apps]\nlearning = true\n[push]\ngap = \"4h\"\n"

    #expect(
      problems(text, included: false) == [
        "worker.toml:3:2: 'push' is of the app 'learning', without which this process was started:"
          + " start it again"
      ])
  }

  @Test func `a change of an app waits for the next start of a daemon`() throws {
    let (on, off) = (try load("").settings, try load("[apps]\nlearning = false\n").settings)

    let changes = off.changes(since: on)

    #expect(changes.map(\.description) == ["apps.learning: true -> false"])
    #expect(changes.map(\.waitsForStart) == [true])
  }
}
