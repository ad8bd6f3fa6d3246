internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

/// How a job's ticks and runs are treated, as its table in the settings says.
extension Policies {
  /// Takes from a job's table what it sets; the rest stays as the job declares it.
  mutating func read(from table: inout TableReader) {
    readTicks(from: &table)
    readLimits(from: &table)
    readRetry(from: &table)
    readSpread(from: &table)
    readBounds(from: &table)
  }

  private mutating func readTicks(from table: inout TableReader) {
    catchUp.policy = table.read("missed", as: .choice, else: catchUp.policy)
    catchUp.within = table.read(
      "missed_within", as: .duration(.seconds(1)...Self.year, suchAs: "1d"), else: catchUp.within)
    catchUp.most = table.read(
      "missed_most", as: .count(1...Backlog.most, suchAs: 100), else: catchUp.most)
    overlap = table.read("overlap", as: .choice, else: overlap)
    startWithin = table.read(
      "start_within", as: .duration(.seconds(1)...Self.year, suchAs: "1h"), else: startWithin)
    jitter = table.read(
      "jitter", as: .duration(.zero...(.seconds(86_400)), suchAs: "30s"), else: jitter)
    lateAfter = table.read(
      "late_after", as: .duration(.seconds(1)...Self.year, suchAs: "5m"), else: lateAfter)
    priority = table.read("priority", as: .count(-100...100, suchAs: 10), else: priority)
  }

  private mutating func readLimits(from table: inout TableReader) {
    let length = SettingKind.durationOrNone(.seconds(1)...(.seconds(30 * 86_400)), suchAs: "10m")
    softLimit = table.read("soft_limit", as: length, else: softLimit)
    hardLimit = table.read("hard_limit", as: length, else: hardLimit)
    table.refuse("soft_limit", softLimit, above: "hard_limit", hardLimit, written: \.written)
  }

  private mutating func readRetry(from table: inout TableReader) {
    let wait = SettingKind.duration(.seconds(1)...(.seconds(86_400)), suchAs: "10s")
    retry.tries = table.read("tries", as: .count(1...100, suchAs: 5), else: retry.tries)
    retry.first = table.read("first_wait", as: wait, else: retry.first)
    retry.longest = table.read("longest_wait", as: wait, else: retry.longest)
    retry.workerLosses = table.read(
      "worker_losses", as: .count(0...100, suchAs: 5), else: retry.workerLosses)
    table.refuse(
      "first_wait", retry.first, above: "longest_wait", retry.longest, written: \.written)
  }

  private mutating func readSpread(from table: inout TableReader) {
    parallelParts = table.read(
      "parallel", as: .countOrNone(1...1024, suchAs: 8), else: parallelParts)
    batch = table.read("batch", as: .count(1...1000, suchAs: 50), else: batch)
  }

  private mutating func readBounds(from table: inout TableReader) {
    let items = SettingKind.countOrNone(1...1_000_000_000, suchAs: 200_000)
    bounds.fewest = table.read("fewest", as: items, else: bounds.fewest)
    bounds.most = table.read("most", as: items, else: bounds.most)
    bounds.timesUsual = table.read("times_usual", as: .timesOrNone, else: bounds.timesUsual)
    table.refuse("fewest", bounds.fewest, above: "most", bounds.most, written: \.description)
  }

  private static var year: Duration { .seconds(366 * 86_400) }
}
