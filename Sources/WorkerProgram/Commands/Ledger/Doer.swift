internal import JobKit
internal import Ledger
internal import LocalTime

/// Who goes on with a job.
enum Doer: Equatable {
  /// A daemon that has shown itself in time.
  case daemon

  /// A daemon that may have been killed, which was not seen for so long.
  case overdue(name: String, Duration)
  case nobody

  var mayBeThere: Bool { self != .nobody }

  /// Nothing, or what a sentence says behind what a daemon does.
  var doubt: String {
    guard case .overdue(let name, let age) = self else { return "" }
    return ", if \(name) is alive: it was \(DaemonRecord.notSeen(for: age))"
  }
}

extension LedgerSession {
  /// Who has code for a job, at a moment, and does not end.
  func doer(of job: JobName, at moment: Instant) throws -> Doer {
    let able = try Ledger.daemons(on: connection).filter {
      !$0.isByHand && !$0.isDraining && $0.jobs.contains(job.text)
    }
    var doer = Doer.nobody
    for daemon in able {
      switch daemon.life(at: moment) {
      case .alive: return .daemon
      case .overdue(let age): doer = .overdue(name: daemon.name, age)
      case .gone, .silent: break
      }
    }
    return doer
  }

  /// Whether every daemon has ended, or is known to be dead.
  func isDeserted(at moment: Instant) throws -> Bool {
    try Ledger.daemons(on: connection).filter { !$0.isByHand }.allSatisfy { daemon in
      switch daemon.life(at: moment) {
      case .alive, .overdue: false
      case .gone, .silent: true
      }
    }
  }

  /// That nobody decides and works, since when, in a sentence; nothing while a daemon is known to be alive.
  func absence(_ times: Times) throws -> String? {
    let daemons = try Ledger.daemons(on: connection).filter { !$0.isByHand }
    var late: [(name: String, age: Duration)] = []
    for daemon in daemons {
      switch daemon.life(at: times.now) {
      case .alive: return nil
      case .overdue(let age): late.append((daemon.name, age))
      case .gone, .silent: break
      }
    }
    if let latest = late.min(by: { $0.age < $1.age }) {
      let age = RelativeTime.text(latest.age)
      return "no daemon was seen for \(age): \(latest.name) may have been killed, or cut off"
    }
    let seen = try Ledger.lastSeen(on: connection) ?? daemons.map(\.seenAt).max()
    let since = seen.map { ", since \(times.alone($0))" } ?? ""
    return "no daemon is alive\(since): nothing is decided and nothing runs"
  }
}
