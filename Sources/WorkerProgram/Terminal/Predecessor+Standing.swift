internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Settings

extension Predecessor {
  /// The job and what keeps a tick waiting for it: `load_orders, whose run 17 is running`.
  var standing: String { "\(job), \(clause)" }

  private var clause: String {
    guard let tick else { return "which has no tick by then" }
    guard let run else {
      return isUndecided
        ? "whose tick of \(tick) is not decided yet" : "which has no run of \(tick)"
    }
    return "whose run \(run) " + condition(of: run)
  }

  private func condition(of run: Int) -> String {
    switch state {
    case .failed: "failed ('worker retry \(run)' tries again)"
    case .cancelled: "was cancelled ('worker retry \(run)' lets it go on)"
    case .held: "is held ('worker approve \(run)' lets it go on)"
    case .skipped, .missed: "was \(state?.rawValue ?? "")"
    case .waiting: "waits itself ('worker show \(run)' says for what)"
    case .due, .running, .succeeded, .collapsed, nil: "is \(state?.rawValue ?? "unknown")"
    }
  }

  var json: JSON {
    [
      "job": .string(job.text), "tick": JSON(tick?.description),
      "run": run.map { .integer($0) } ?? nil, "state": JSON(state?.rawValue),
      "answer": .string(answer.rawValue),
    ]
  }
}

extension After {
  /// Behind which jobs it stands, as the end of a note; nothing where it stands behind none.
  var note: String? { jobs.isEmpty ? nil : "after \(jobs.map(\.text).listed(with: "and"))" }

  /// What that means, as a sentence.
  var sentence: String? {
    note.map { note in
      let whose = jobs.count == 1 ? "its" : "their"
      return "its ticks come \(note): each waits for \(whose) success, \(limit.written) at most"
    }
  }
}

extension JobSettings {
  /// When it is due, and behind which jobs.
  var rhythm: String {
    [schedule.description, after.note].compactMap(\.self).joined(separator: ", ")
  }
}
