public import JobKit
public import LocalTime

/// What becomes of each tick of one job that is not decided yet.
///
/// Pure: the pass only writes it down.
public struct Decision: Sendable, Equatable {
  public let ticks: [Tick]

  /// Whether the runs that go on must be asked to stop first.
  public let cancelsOthers: Bool

  package init(ticks: [Tick], cancelsOthers: Bool) {
    self.ticks = ticks
    self.cancelsOthers = cancelsOthers
  }
}

extension Decision {
  /// Decides `moments`: the ticks in `(standing.decidedUntil, now]`, oldest first.
  public init(
    of moments: [Instant], now: Instant, isEnabled: Bool, snapshot: JobSnapshot,
    under policies: Policies, except exclusions: Exclusions = Exclusions(),
    inForceSince start: Instant? = nil
  ) {
    let stopped = moments.map { moment -> Tick.Cause? in
      if let start, moment <= start { return .skipped(.notInForce) }
      if !isEnabled { return .skipped(.disabled) }
      if let pause = snapshot.pause, pause.covers(moment) { return pause.skip }
      if let block = snapshot.block, block.since <= moment { return block.skip }
      return exclusions.reason(at: moment).map { .skipped(.excluded($0)) }
    }
    // A tick that is paused or excluded does nobody's work, so it stands in for no other.
    let newest = zip(moments, stopped).reversed().first { $0.1 == nil }?.0
    let wanted = zip(moments, stopped).map { moment, cause in
      cause.map { .notRun($0) }
        ?? Self.fate(
          of: moment, isNewest: moment == newest, now: now, snapshot: snapshot, under: policies)
    }
    var fates = Self.capped(wanted, at: policies.catchUp.most)
    cancelsOthers = Self.resolveOverlap(of: &fates, snapshot: snapshot, under: policies.overlap)
    ticks = Self.collapsed(zip(moments, fates).map { Tick(scheduledFor: $0, fate: $1) })
  }

  /// Decides a row of ticks that is too long to be listed, all of them missed, and all inside a pause
  /// and before `start` or all outside.
  ///
  /// Calendars have no say in it: nobody looked for thousands of ticks, and none of these runs.
  static func ofRow(
    from first: Instant, through last: Instant, count: Int, isEnabled: Bool, snapshot: JobSnapshot,
    under policies: Policies, inForceSince start: Instant?
  ) -> Decision {
    let cause: Tick.Cause =
      if let start, first <= start {
        .skipped(.notInForce)
      } else if !isEnabled {
        .skipped(.disabled)
      } else if let pause = snapshot.pause, pause.covers(first) {
        pause.skip
      } else if let block = snapshot.block, block.since <= first {
        block.skip
      } else {
        switch policies.catchUp.policy {
        case .skip: .missed(.notCaughtUp)
        case .latest: .missed(.newestRuns)
        case .all: .missed(.tooMany)
        }
      }
    let tick = Tick(
      scheduledFor: last, fate: .collapsed(from: first, count: count, cause))
    return Decision(ticks: [tick], cancelsOthers: false)
  }

  private static func fate(
    of moment: Instant, isNewest: Bool, now: Instant, snapshot: JobSnapshot,
    under policies: Policies
  ) -> Tick.Fate {
    let lateness = now - moment
    let isOnTime = isNewest && lateness <= onTime
    switch policies.catchUp.policy {
    case _ where isOnTime: return .due
    case _ where snapshot.pause?.covers(now) == true: return .notRun(.missed(.nowPaused))
    case _ where snapshot.block != nil: return .notRun(.missed(.nowBlocked))
    case .skip: return .notRun(.missed(.notCaughtUp))
    case .latest where !isNewest: return .notRun(.missed(.newestRuns))
    case .latest, .all:
      return lateness <= policies.catchUp.within ? .due : .notRun(.missed(.tooLate))
    }
  }

  /// A tick this late is still one that was seen in time: a pass takes its time, and hosts restart.
  private static let onTime = Duration.seconds(60)

  /// Keeps the newest `most` of what is due: the older ones were missed.
  private static func capped(_ fates: [Tick.Fate], at most: Int) -> [Tick.Fate] {
    let surplus = fates.count { $0 == .due } - most
    guard surplus > 0 else { return fates }
    var dropped = 0
    return fates.map { fate in
      guard fate == .due, dropped < surplus else { return fate }
      dropped += 1
      return .notRun(.missed(.tooMany))
    }
  }

  /// Applies the job's overlap policy to what is due; says whether the other runs have to stop.
  private static func resolveOverlap(
    of fates: inout [Tick.Fate], snapshot: JobSnapshot, under overlap: Overlap
  ) -> Bool {
    guard snapshot.hasRunning || snapshot.hasWaiting, fates.contains(.due) else { return false }
    let anotherWaits: Bool
    switch overlap {
    case .allow: return false
    case .skip: anotherWaits = false
    case .queueOne, .cancelOther:
      guard snapshot.hasWaiting else { return overlap == .cancelOther }
      anotherWaits = true
    }
    let skip = Tick.Fate.notRun(.skipped(.overlap(anotherWaits: anotherWaits)))
    fates = fates.map { $0 == .due ? skip : $0 }
    return false
  }

  /// Writes long rows of ticks that nobody ran as one: a year of seconds must not fill the ledger.
  private static func collapsed(_ ticks: [Tick]) -> [Tick] {
    ticks.chunked { $0.fate == $1.fate && $0.fate != .due }.flatMap { row -> [Tick] in
      guard row.count > longestRow, let first = row.first, let last = row.last,
        let cause = first.fate.cause
      else {
        return Array(row)
      }
      return [
        Tick(
          scheduledFor: last.scheduledFor,
          fate: .collapsed(from: first.scheduledFor, count: row.count, cause))
      ]
    }
  }

  private static let longestRow = 24
}

extension Pause {
  fileprivate var skip: Tick.Cause { .skipped(.paused(by: author, because: reason)) }
}

extension Block {
  fileprivate var skip: Tick.Cause { .skipped(.blocked(because: reason)) }
}

extension Array {
  /// The runs of neighbours that belong together.
  fileprivate func chunked(
    where belongTogether: (Element, Element) -> Bool
  ) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices
    where index + 1 == endIndex || !belongTogether(self[index], self[index + 1]) {
      chunks.append(self[start...index])
      start = index + 1
    }
    return chunks
  }
}

extension Decision {
  /// What becomes of the ticks of a job up to `end` that are not decided yet; nothing where there are none.
  package static func of(
    _ job: ScheduledJob, snapshot: JobSnapshot, through end: Instant, at now: Instant
  ) -> Decision? {
    // Taken on while the clock was ahead, a schedule would be dead until then.
    let start = job.inForceSince.flatMap { $0 <= now ? $0 : nil }
    let edges = [
      snapshot.pause?.since, snapshot.pause?.until, snapshot.block?.since,
      start.map { $0 + .microseconds(1) },
    ].compactMap(\.self)
    return
      switch Backlog(
        of: job.schedule, after: snapshot.decidedUntil, through: end, edges: edges)
    {
    case .ticks([]): nil
    case .ticks(let moments):
      Decision(
        of: moments, now: now, isEnabled: job.isEnabled, snapshot: snapshot, under: job.policies,
        except: job.schedule.exclusions, inForceSince: start)
    case .row(let first, let last, let count):
      .ofRow(
        from: first, through: last, count: count, isEnabled: job.isEnabled, snapshot: snapshot,
        under: job.policies, inForceSince: start)
    }
  }
}
