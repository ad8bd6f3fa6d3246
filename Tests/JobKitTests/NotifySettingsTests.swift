import Config
import LocalTime
import Testing

@testable import JobKit
@testable import Ledger
@testable import Settings

@Suite("The settings of messages")
struct NotifySettingsTests {
  private func load(_ text: String) throws -> NotifySettings {
    try SampleSettings.load(text).settings.notify
  }

  @Test func `everything can be set`() throws {
    let notify = try load(
      """
      [notify]
      command = ["/bin/tell", "a b"]
      webhook_file = "/etc/worker/webhook"
      limit = "3s"
      on = ["failed", "held"]
      paused_after = "2h"
      again_after = "1m"
      ping = "https://ping.example.com/secret"
      ping_every = "30s"
      """)

    #expect(notify.command == ["/bin/tell", "a b"])
    #expect(notify.webhook == .file("/etc/worker/webhook"))
    #expect(notify.events == [.failed, .held])
    #expect(notify.limit == .seconds(3) && notify.pausedAfter == .seconds(7200))
    #expect(notify.ping?.description == "https://ping.example.com/…")
    #expect(notify.againAfter == .seconds(60) && notify.pingEvery == .seconds(30))
  }

  @Test(arguments: [
    (
      "command = [\"tell\"]",
      "'notify.command' must begin with the absolute path of a program: write"
        + " [\"/usr/local/bin/tell\", \"night\"]"
    ),
    (
      "command = [1]",
      "'notify.command' holds a whole number: write words in quotes, such as"
        + " [\"/usr/local/bin/tell\", \"night\"]"
    ),
    (
      "webhook = \"http://example.com/secret\"",
      "'notify.webhook' cannot be used: write a URL that begins with https://, or with http:// and is"
        + " of this machine"
    ),
    (
      "ping = \"secret\"",
      "'notify.ping' cannot be used: write a URL that begins with https://, or with http:// and is of"
        + " this machine"
    ),
    (
      "webhook = \"https://host/secret\"\nwebhook_file = \"/etc/url\"",
      "'notify.webhook_file' stands beside 'notify.webhook': keep one"
    ),
    (
      "on = [\"fialed\"]",
      "'notify.on' holds 'fialed': write \"failed\", \"missed\", \"held\", \"blocked\","
        + " \"paused_too_long\" or \"late\""
    ),
  ])
  func `what cannot be used is refused, and no address is shown`(
    text: String, refusal: String
  ) {
    let error = #expect(throws: SettingsError.self) { try load("[notify]\n\(text)") }

    #expect(error?.problems.map(\.what.description) == [refusal])
  }

  @Test func `a change of an address shows its host alone`() throws {
    let old = try SampleSettings.load("").settings
    let new = try SampleSettings.load("[notify]\nwebhook = \"https://host/secret\"").settings

    #expect(new.changes(since: old).map(\.description) == ["notify.webhook:  -> https://host/…"])
  }
}
