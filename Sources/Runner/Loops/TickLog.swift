internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

/// What the log says of ticks that do not run.
///
/// While one run goes on, each tick of its job may be skipped: the first is told at once, and then once an hour how many
/// they have become. The ledger has a row for each, and the metrics count each.
struct TickLog {
  private var overlaps: [JobName: Overlap] = [:]

  /// The ticks that this daemon has skipped in a row because a run of the job was not over.
  private struct Overlap {
    let since: Instant
    var told: Instant
    var count = 0
  }

  private static let rhythm = Duration.seconds(3600)

  /// Tells which of the ticks of a job that were decided do not run; those of one fate together.
  mutating func report(_ ticks: [Tick], of job: JobName, in log: Log) {
    // Whatever is no overlap ends the row, before these ticks or behind them.
    if !ticks.allSatisfy(\.isOverlap) { overlaps[job] = nil }
    for group in ticks.groupsThatDoNotRun {
      guard let first = group.first, let last = group.last,
        let line = first.isOverlap ? overlapLine(of: group, job) : Self.line(of: group)
      else { continue }
      // What somebody has ordered needs nobody's attention.
      let say = first.fate.cause?.isOrdered == true ? log.info : log.warning
      say(line, ["job": job.text, "scheduled_for": last.scheduledFor.description])
    }
    if ticks.last?.isOverlap == false { overlaps[job] = nil }
  }

  private static func line(of ticks: ArraySlice<Tick>) -> String? {
    guard let first = ticks.first, let last = ticks.last, ticks.count > 1 else {
      return ticks.first.map { "\($0.fate)" }
    }
    let range = "from \(first.scheduledFor) to \(last.scheduledFor)"
    return "\(ticks.count.counted("tick")) \(range) \(first.fate)"
  }

  /// What there is to say of ticks that were skipped as a run is not over; nothing where that was said lately.
  ///
  /// A clock that was set back tells it anew.
  private mutating func overlapLine(of ticks: ArraySlice<Tick>, _ job: JobName) -> String? {
    guard let first = ticks.first, let last = ticks.last?.scheduledFor else { return nil }
    let known = overlaps[job].flatMap { $0.told <= last ? $0 : nil }
    var overlap = known ?? Overlap(since: first.firstTick, told: last)
    overlap.count += ticks.map(\.count).reduce(0, +)
    defer { overlaps[job] = overlap }
    guard known != nil else { return Self.line(of: ticks) }
    guard last - overlap.told >= Self.rhythm, let cause = first.fate.cause else { return nil }
    overlap.told = last
    return "\(overlap.count.counted("tick")) since \(overlap.since) \(cause)"
  }
}

extension Tick {
  /// Whether it is skipped because a run of its job is not over.
  fileprivate var isOverlap: Bool {
    if case .skipped(.overlap) = fate.cause { true } else { false }
  }

  /// How many ticks it stands for, and the first of them.
  fileprivate var count: Int {
    if case .collapsed(_, let count, _) = fate { count } else { 1 }
  }
  fileprivate var firstTick: Instant {
    if case .collapsed(let first, _, _) = fate { first } else { scheduledFor }
  }
}

extension [Tick] {
  /// Those that do not run, as far as they are of one fate together.
  fileprivate var groupsThatDoNotRun: [ArraySlice<Tick>] {
    let ticks = filter { $0.fate != .due }
    var groups: [ArraySlice<Tick>] = []
    for index in ticks.indices {
      if let group = groups.last, group.first?.fate == ticks[index].fate {
        groups[groups.count - 1] = ticks[group.startIndex...index]
      } else {
        groups.append(ticks[index...index])
      }
    }
    return groups
  }
}
