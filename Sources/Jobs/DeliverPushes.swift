public import JobKit
import LocalTime
import Postgres
public import Push

extension JobDefinition {
  /// A push belongs to a minute, so this looks every minute.
  static let deliverPushes = JobDefinition(
    name: "deliver_pushes",
    purpose: "hands planned pushes to the transport in their minute",
    schedule: .cron("* * * * *"), policies: deliverPushesPolicies)

  private static var deliverPushesPolicies: Policies {
    var policies = Policies()
    // The next minute's run does whatever this one did not, and judges it by then.
    policies.startWithin = .seconds(120)
    policies.retry = Retry(tries: 3, first: .seconds(5), longest: .seconds(20))
    policies.priority = 10
    // A minute of a million learners is a few thousand pushes, and some hundred thousand after an outage.
    policies.bounds.most = 500_000
    policies.mayBackfill = false
    return policies
  }
}

/// Hands planned pushes over in their minute, none of them twice, whatever is killed when.
///
/// Each window of pushes is claimed in one chunk, handed to the transport when that is committed, and what
/// became of them is written in the next. Who dies in between leaves pushes that count as sent.
public struct DeliverPushes: Job {
  public let definition: JobDefinition = .deliverPushes

  private let transport: any PushTransport
  private let messages: MessageCatalogue
  private let rules: DeliveryRules
  private let unwritten = UnwrittenReports()

  /// What measures how long a claim is old: a process that was frozen in between is told by it.
  private let stopwatch: @Sendable () -> ContinuousClock.Instant

  public init(
    through transport: any PushTransport, saying messages: MessageCatalogue,
    rules: DeliveryRules = DeliveryRules()
  ) {
    self.init(
      through: transport, saying: messages, rules: rules, stopwatch: { ContinuousClock.now })
  }

  init(
    through transport: any PushTransport, saying messages: MessageCatalogue,
    rules: DeliveryRules = DeliveryRules(),
    stopwatch: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.transport = transport
    self.messages = messages
    self.rules = rules
    self.stopwatch = stopwatch
  }

  public var worksInPostgresAlone: Bool { transport.staysInProcess }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    try context.look(
      """
      SELECT count(*) FROM learning.notifications
      WHERE state = 'planned' AND due_at <= \(context.scheduledFor)
        AND window_to > \(context.scheduledFor) AND \(context.shareOfAllParts(of: "user_id"))
      """
    ).only[0]
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    try settleLostOnes(&context)
    var unwilling = UnwillingProviders()
    var begun: Instant?
    while true {
      let (claim, claimedAt, age) = try claim(since: begun, &context)
      guard claim.looked > 0 else { break }
      begun = begun ?? claimedAt
      try handOver(claim, claimedAt: claimedAt, since: age, sparing: &unwilling, &context)
    }
    return Self.outcome(of: context, unwilling: unwilling)
  }
}

extension DeliverPushes {
  /// Writes what became of pushes while the database was away, and of those whose owner is gone.
  private func settleLostOnes(_ context: inout JobContext) throws {
    let reports = unwritten.take(by: context.part)
    let share = context.share(of: "user_id")
    do {
      try context.inChunks { connection, progress in
        for report in reports {
          progress.counters.count(try report.write(on: connection))
        }
        let lost = try connection.run(
          """
          UPDATE learning.notifications AS push
          SET state = 'uncertain', reason = 'worker_lost', owner = NULL, sent_at = sending_at
          WHERE state = 'sending' AND \(share) AND \(PushOwner.isGone)
          """
        ).affected
        if lost > 0 { progress.counters.count("uncertain", lost) }
        return .finished
      }
    } catch {
      for report in reports { unwritten.keep(report) }
      throw error
    }
  }

  /// Claims a window of pushes in a chunk of its own; says when, by the ledger's clock and by the stopwatch.
  private func claim(
    since begun: Instant?, _ context: inout JobContext
  ) throws -> (claim: PushClaim, at: Instant, since: ContinuousClock.Instant) {
    let (clock, moment, since) = (context.clock, context.scheduledFor, stopwatch())
    let terms = PushClaim.Terms(
      owner: PushOwner(context.fence), share: context.share(of: "user_id"), moment: moment,
      rules: rules, messages: messages, zones: context.zones, isDryRun: context.isDryRun,
      begun: begun)
    var (claim, now) = (PushClaim.none, moment)
    do {
      try context.inChunks { connection, progress in
        now = max(try clock.now(on: connection), moment)
        claim = try PushClaim.make(by: terms, at: now, on: connection)
        progress.done += claim.looked - claim.sendings.count
        progress.counters.add(claim.counters)
        for sending in claim.sendings { progress.show(sending.example) }
        return .finished
      }
    } catch {
      // Nobody may know whether it was committed, but none of it has left.
      unwritten.keep(claim.untried(by: terms.owner))
      throw error
    }
    return (claim, now, since)
  }

  /// Hands over what was claimed, but for providers that take nothing, and writes down what became of it.
  private func handOver(
    _ claim: PushClaim, claimedAt moment: Instant, since: ContinuousClock.Instant,
    sparing unwilling: inout UnwillingProviders, _ context: inout JobContext
  ) throws {
    guard !claim.sendings.isEmpty else { return }
    let owner = PushOwner(context.fence)
    let age = stopwatch() - since
    guard age <= Self.oldest, !context.isAskedToStop else {
      return try write(claim.untried(by: owner), of: 0, &context)
    }
    var report = PushReport(of: owner)
    let isLate: (PushClaim.Sending) -> Bool = { moment + age >= $0.until }
    for late in claim.sendings.filter(isLate) { report.addUntried(late, until: late.until) }
    let leaving = claim.sendings.filter { !isLate($0) }
    let deliveries = deliver(leaving, sparing: &unwilling, isDryRun: context.isDryRun)
    for (sending, delivery) in zip(leaving, deliveries) {
      report.add(sending, delivery, claimedAt: moment, by: rules)
    }
    try write(report, of: leaving.count, &context)
  }

  /// How old a claim may be when its pushes leave: beyond that others may hold it for lost.
  private static let oldest = Duration.seconds(10)

  /// What became of each, in their order.
  private func deliver(
    _ sendings: [PushClaim.Sending], sparing unwilling: inout UnwillingProviders, isDryRun: Bool
  ) -> [Delivery] {
    guard !isDryRun else { return sendings.map { _ in .sent } }
    let isAsked = sendings.map { !unwilling.contains($0) }
    let asked = zip(sendings, isAsked).filter(\.1).map(\.0)
    let answers = deliver(asked)
    unwilling.find(in: asked, by: answers)
    var rest = answers[...]
    return isAsked.map { ($0 ? rest.popFirst() : nil) ?? .notSent("its provider takes nothing") }
  }

  private func deliver(_ sendings: [PushClaim.Sending]) -> [Delivery] {
    guard !sendings.isEmpty else { return [] }
    let deliveries = transport.send(sendings.map(\.message))
    guard deliveries.count != sendings.count else { return deliveries }
    return sendings.map { _ in .uncertain("the transport told of \(deliveries.count) pushes") }
  }

  /// Writes a report down, or keeps it for when the database is back.
  private func write(_ report: PushReport, of count: Int, _ context: inout JobContext) throws {
    do {
      try context.writeDown { connection, progress in
        progress.done += count
        progress.counters.count(try report.write(on: connection))
      }
    } catch let error as PostgresError {
      unwritten.keep(report)
      throw error
    }
  }

  private static func outcome(
    of context: borrowing JobContext, unwilling: UnwillingProviders
  ) -> Outcome {
    let sent = context.progress.counters["sent"]
    let names = unwilling.names.joined(separator: " and ")
    let wait = names.isEmpty ? "" : "; \(names) took none of a window, so what is left waits"
    return Outcome("\(context.isDryRun ? "would hand" : "handed") over \(sent) pushes\(wait)")
  }
}

extension PushClaim.Sending {
  /// As in `learner 17: a push for 2026-03-01, 'Today's sentences are ready'`.
  fileprivate var example: String {
    "learner \(push.learner.id): a push for \(push.localDay), \(message.title.inQuotes)"
  }
}

extension Counters {
  mutating func add(_ other: Counters) {
    for (name, value) in zip(other.names, other.values) { count(name, value) }
  }

  /// Counts what pushes came to, a state at a time.
  fileprivate mutating func count(_ states: [String: Int]) {
    for (state, pushes) in states.sorted(by: { $0.key < $1.key }) {
      count(state == "planned" ? "not sent" : state, pushes)
    }
  }
}
