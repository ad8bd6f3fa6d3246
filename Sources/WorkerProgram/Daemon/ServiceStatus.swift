internal import JobKit
internal import Ledger
internal import LocalTime
internal import Runner

/// How the service is, in the one line that `systemctl status` shows.
struct ServiceStatus {
  private var phase = Phase.starting
  private var running: [Fence: JobName] = [:]
  private var lastPass: Instant?
  private var nextTick: Instant?
  private var isCutOff = false

  /// Why the settings that were read last are not in force.
  var refusal: String?

  private enum Phase {
    case starting
    case waiting(for: String)
    case working
    case draining
  }

  /// The service waits for the database, which fails it so.
  mutating func wait(_ failure: String) { phase = .waiting(for: failure) }

  mutating func drain() { phase = .draining }

  /// Follows what the daemon lives through.
  mutating func take(_ event: DaemonEvent) {
    switch event {
    case .passed(let pass, let now):
      if case .draining = phase {} else { phase = .working }
      (lastPass, nextTick, isCutOff) = (now, pass.nextTick, false)
    case .maintained: isCutOff = false
    case .began(let part): running[part.fence] = part.job
    case .ended(let execution): running[execution.part.fence] = nil
    case .lostConnection: isCutOff = true
    case .draining: phase = .draining
    default: break
    }
  }
}

extension ServiceStatus {
  var text: String {
    let facts = [
      work, isCutOff ? "has lost the database and tries again" : nil,
      nextTick.map { "next tick \($0)" }, lastPass.map { "last pass \($0)" },
      refusal.map { "refused the settings: \($0)" },
    ]
    return facts.compactMap(\.self).joined(separator: "; ")
  }

  private var work: String {
    switch phase {
    case .starting: "starts"
    case .waiting(let failure): "waits for the database: \(failure)"
    case .working: running.isEmpty ? "runs nothing" : "runs \(parts)"
    case .draining: running.isEmpty ? "ends" : "ends after \(parts)"
    }
  }

  /// How many parts run, and of which jobs.
  private var parts: String {
    let counts = running.values.reduce(into: [:]) { counts, job in counts[job.text, default: 0] += 1
    }
    let jobs = counts.sorted { $0.key < $1.key }.map { job, count in
      count == 1 ? job : "\(count) × \(job)"
    }
    return
      "\(running.count == 1 ? "1 part" : "\(running.count) parts") (\(jobs.joined(separator: ", ")))"
  }
}
