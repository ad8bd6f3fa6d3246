internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Runner
internal import Settings

extension Command {
  /// Shows what people were told, or tells them something to try.
  static let notify: Command = Command(
    name: "notify",
    summary: "show what people were told of, or try whether messages arrive",
    discussion: """
      Shows the newest messages of the ledger: what they are about, and whether they were told, wait to be
      tried again, or were given up after a day.

      With --test it asks no ledger: it sends a message on each way that [notify] configures, says what came
      of each, and ends with 0 when all have taken it, else with 1.
      """,
    options: [.config, .test, .json] + Option.ofTimes,
    examples: [("worker notify", "the newest twenty messages")],
    run: { arguments, console in
      guard arguments.has(.test) else { return try show(arguments, on: console) }
      let loaded = try SettingsFile(arguments).load()
      let channels = ProgramNotifier.channels(of: loaded.settings.notify, log: .silent)
      guard !channels.isEmpty else { throw NoChannel() }
      let trials = channels.map { Trial(of: $0) }
      if arguments.has(.json) {
        try console.print(JSON.array(trials.map(\.json)).pretty)
      } else {
        for trial in trials { try console.print(trial.sentence) }
      }
      return trials.allSatisfy { $0.failure == nil } ? .done : .jobFailed
    })

  private static func show(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let session = try LedgerSession.openLedger(arguments)
    let messages = try Ledger.messages(20, on: session.connection)
    guard !arguments.has(.json) else {
      try console.print(JSON.array(messages.map(\.json)).pretty)
      return .done
    }
    guard !messages.isEmpty else {
      try console.print("the daemons have had nothing to report: there is no message yet")
      return .done
    }
    let times = try session.times(arguments, of: [])
    try console.show(table(of: messages, times), arguments, of: .notify)
    return .done
  }

  static func table(of messages: [MessageRecord], _ times: Times) -> Table {
    var table = Table(
      Table.Column("message", rank: 2), times.column("made"), "state",
      Table.Column("tries", rank: 3), "about")
    for message in messages {
      table.add(
        "\(message.message.id)", times.text(message.message.madeAt), message.state.rawValue,
        "\(message.tries)", message.title + (message.error.map { "; not told: \($0)" } ?? ""))
    }
    return table
  }
}

extension Option {
  fileprivate static let test = flag("test", "send a message that says it is a test")
}

/// A message that was sent to try one way, and what came of it.
private struct Trial {
  let channel: any Channel
  let failure: DeliveryError?

  init(of channel: any Channel) {
    self.channel = channel
    let test = WrittenMessage(.test(at: SystemClock.now()), from: Host.author, next: nil)
    do throws(DeliveryError) {
      try channel.deliver(test)
      failure = nil
    } catch {
      failure = error
    }
  }

  var sentence: String {
    failure.map { "\(channel.name): \(channel.label): not told: \($0)" }
      ?? "\(channel.name): \(channel.label): told"
  }

  var json: JSON {
    [
      "channel": .string(channel.name), "to": .string(channel.label),
      "told": .boolean(failure == nil),
      "why_not": JSON(failure?.description),
    ]
  }
}

extension MessageRecord {
  fileprivate var title: String { WrittenMessage(message, from: "", next: nil).title }

  fileprivate var json: JSON {
    [
      "id": .integer(message.id), "event": .string(message.event.rawValue),
      "job": .string(message.job), "run": message.run.map { .integer($0) } ?? nil,
      "times": .integer(message.times), "title": .string(title),
      "made_at": .string(message.madeAt.description), "state": .string(state.rawValue),
      "tries": .integer(tries),
      "told": .array(toldChannels.map { .string($0) }), "why_not": JSON(error),
    ]
  }
}

/// Messages are to be tried, and the settings name nobody who gets them.
struct NoChannel: Error, CustomStringConvertible {
  var description: String {
    "[notify] of the settings names no receiver: write 'command', 'webhook' or 'webhook_file' there"
  }
}

extension NoChannel: EndingError {
  var exitCode: ExitCode { .configuration }
}
