internal import Config
internal import JobKit
internal import Ledger

extension Handover {
  /// What happened, for people.
  var text: String {
    var lines = [
      leaving.isEmpty ? "there is no daemon of another version: nobody was asked to end" : stays
    ]
    lines += leaving.map { "\($0.name) (\($0.version)) \(fate(of: $0))" }
    lines += estate.map { "run \($0.run) part \($0.number) of \($0.job) \($0.whereabouts)" }
    lines += lostJobs.map {
      "no daemon that stays has code for \($0): its ticks wait, and after an hour are skipped"
    }
    return lines.joined(separator: "\n")
  }

  private var stays: String {
    let names = heirs.isEmpty ? "nobody yet" : heirs.map(\.name).joined(separator: ", ")
    return "\(isDone ? "stays" : "would stay"): \(names) (\(version))"
  }

  private func fate(of daemon: DaemonRecord) -> String {
    guard isDone else { return "would be asked to end" }
    return left.contains(daemon.name)
      ? "is still there: it ends at the next chunks of what it runs, or when its own --drain is over"
      : "has ended"
  }

  var json: JSON {
    [
      "version": .string(version), "done": .boolean(isDone && left.isEmpty),
      "stay": .array(heirs.map { .string($0.name) }),
      "leave": .array(leaving.map { .string($0.name) }),
      "left": .array(left.map { .string($0) }),
      "parts": .array(
        estate.map { part in
          [
            "run": .integer(part.run), "part": .integer(part.number), "job": .string(part.job.text),
            "state": .string(part.state.rawValue), "daemon": JSON(part.daemon),
            "cursor": JSON(part.progress.cursor),
          ]
        }), "jobs_without_code": .array(lostJobs.map { .string($0) }),
    ]
  }
}

extension PartRecord {
  /// Where it is now, and how far it had come when it was handed over.
  fileprivate var whereabouts: String {
    switch (state, daemon) {
    case (.running, let daemon?): "goes on at \(daemon), now at \(progress.done) done"
    case (.due, _): "waits for a worker, at \(progress.done) done"
    default: "has \(state)"
    }
  }
}
