internal import Config
internal import HTTP2
internal import LocalTime
internal import Postgres
internal import TestSupport
internal import Testing

@testable import Push
@testable import Runner
@testable import WorkerProgram

/// `worker push providers`, and the figures that a daemon shows of its providers.
@Suite("worker push providers")
struct PushProvidersCommandTests {
  /// What a provider's sender says after a sent, a refused and an unknown push.
  private var snapshot: PushSnapshot {
    var answers = AnswerTally()
    answers.note(.sent, .accepted)
    answers.noteAnswer(after: .milliseconds(40), at: .now)
    answers.note(.refused("Unregistered since then"), AnswerWord("Unregistered"))
    answers.note(.rejected("unknown"), AnswerWord("a word of the provider's own"))
    var breaker = Breaker()
    let start = ContinuousClock.now
    breaker.open(because: "the key is refused", at: start)
    var figures = ProviderFigures()
    (figures.connections, figures.answers) = (PoolFigures(), answers)
    (figures.inFlight, figures.allowed, figures.rate) = (3, 1000, 250)
    figures.breaker = breaker.figures(at: start + .seconds(15))
    figures.token = TokenFigures(age: .seconds(750), minted: 2)
    return PushSnapshot(
      providers: [(PushPlace(.apns, isSandbox: true), figures)],
      journal: JournalFigures(places: 100, used: 4, lost: 1), window: 200)
  }

  @Test func `a daemon's metrics have each figure, under the provider's name`() {
    var store = MetricStore()
    snapshot.add(to: &store)
    let lines = Set(store.text.split(separator: "\n").map(String.init))

    let place = "provider=\"apns_sandbox\""
    for line in [
      "worker_push_requests_total{\(place),outcome=\"sent\",reason=\"accepted\"} 1",
      "worker_push_requests_total{\(place),outcome=\"refused\",reason=\"Unregistered\"} 1",
      "worker_push_requests_total{\(place),outcome=\"refused\",reason=\"other\"} 1",
      "worker_device_tokens_invalidated_total{\(place),reason=\"Unregistered\"} 1",
      "worker_push_seconds_bucket{\(place),le=\"0.025\"} 0",
      "worker_push_seconds_bucket{\(place),le=\"0.05\"} 1", "worker_push_seconds_count{\(place)} 1",
      "worker_push_late_seconds_count{\(place)} 0", "worker_push_in_flight{\(place)} 3",
      "worker_push_streams_allowed{\(place)} 1000", "worker_push_rate_limit{\(place)} 250",
      "worker_push_connections{\(place),state=\"open\"} 0", "worker_push_breaker{\(place)} 2",
      "worker_push_breaker_open_seconds{\(place)} 15",
      "worker_push_token_age_seconds{\(place)} 750",
      "worker_push_tokens_minted_total{\(place)} 2", "worker_push_window 200",
      "worker_push_journal_used 4", "worker_push_journal_lost_total 1",
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test func `the places of the histograms are those in which senders count`() {
    #expect(Metric.pushSeconds.kind == .histogram(AnswerTally.secondsBounds))
    #expect(Metric.pushLateness.kind == .histogram(AnswerTally.latenessBounds))
  }

  @Test func `people are told the figures of each provider, and why nothing leaves`() {
    let text = snapshot.text

    #expect(
      text == """
        provider     apns_sandbox
        connections  0
        streams      1000
        in flight    3
        waiting      0
        rate         250/s
        breaker      open
        token        12m30s
        sent         1
        refused      2
        uncertain    0
        not sent     0

        apns_sandbox: nothing has left for 15s: the key is refused, and one push is tried in 45s
        apns_sandbox: refused Unregistered 1, refused other 1
        apns_sandbox: half of the answers came within 0.05 s, 99 % within 0.05 s
        each part of a run has 200 pushes in hand at most
        the journal holds 4 of 100, and has forgotten 1 too early

        """)
  }

  @Test func `programs are told when a provider was stopped`() throws {
    let now = try Instant("2026-03-01T12:00:00Z")
    let json = snapshot.json(at: now).compact

    #expect(
      json.hasPrefix(#"{"as_of":"2026-03-01T12:00:00Z","window":200,"providers":[{"provider":"#))
    #expect(json.contains(#""since":"2026-03-01T11:59:45Z""#))
    #expect(json.contains(#""token":{"age_seconds":750"#))
  }

  @Test func `a daemon that brings pushes to no provider says so`() throws {
    let daemon = try MonitoredDaemon()

    let text = try daemon.rehearsal.program("push", "providers")
    let json = try daemon.rehearsal.program("push", "providers", "--json")

    #expect(
      text.output
        == "this daemon brings pushes to no provider: 'push.transport' is \"log\", or none is enabled\n"
    )
    #expect(json.output.hasPrefix("{\n  \"asked\": \"127.0.0.1:\(daemon.port)\",\n  \"daemon\": {"))
    #expect(text.exitCode == 0 && json.exitCode == 0)
    #expect(try !daemon.body("/metrics").contains("worker_push_"))
  }

  @Test func `without a daemon the ledger tells what it counted, and what it cannot know`() throws {
    let database = try TestDatabase.migrated()
    let folder = try ScratchFolder()
    try folder.write("[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
    try database.connect().run(script: Self.rows)
    let variables = [
      "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": try TestEnvironment.zoneinfo,
    ]

    let text = try Program(words: ["push", "providers"], variables: variables)
    let json = try Program(words: ["push", "providers", "--json"], variables: variables)
    let silent = try Program(
      words: ["push", "providers", "--address", "unix:/nowhere/http.sock"], variables: variables)

    #expect(
      text.output == """
        'http.listen' is empty, so no daemon was asked

        provider  delivered  refused  uncertain  breaker
        apns      5          3        2          unknown
        fcm       0          0        0          unknown
        webhook   0          0        0          unknown

        apns: 1 waiting after '429'
        as the ledger counted the last 24 hours; connections, rate, breaker and token are known to a daemon alone

        """)
    #expect(json.output.contains("\"breaker\": \"unknown\""))
    #expect(silent.output.hasPrefix("no daemon tells at unix:/nowhere/http.sock: "))
    #expect(text.exitCode == 0 && json.exitCode == 0 && silent.exitCode == 0)
  }

  @Test func `an action that there is none of is refused with those that there are`() throws {
    let program = try Rehearsal().program("push", "nobody")

    let known = "worker: 'nobody': write 'test' or 'devices' or 'providers'"
    #expect(program.errors.hasPrefix(known), "\(program.errors)")
    #expect(program.exitCode == 64)
  }

  /// A run that has counted, and a push that waits.
  private static let rows = """
    INSERT INTO jobkit.job VALUES ('deliver_pushes', now(), now());
    WITH run AS (
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, parts_left,
        started_at, finished_at)
      VALUES ('deliver_pushes', now() - interval '1 h', 'schedule', 'succeeded', now(), 'test', 0, now(), now())
      RETURNING id, scheduled_for
    )
    INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, counter_names,
      counter_values)
    SELECT id, 0, 'deliver_pushes', 'succeeded', scheduled_for, scheduled_for,
      '{apns,apns/sent,apns/refused,apns/failed,apns/uncertain}', '{10,5,2,1,2}' FROM run;
    INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
    VALUES (1, 'Ana', 'UTC', now(), now());
    INSERT INTO learning.notifications (user_id, local_day, state, reason, kind, zone, window_from,
      window_to, due_at, template, planned_at, provider, answer)
    VALUES (1, '2026-03-01', 'planned', 'not_sent', 'reminder', 'UTC', now() - interval '1 h',
      now() + interval '1 h', now() - interval '1 min', 'basic', now(), 'apns', '429');
    """
}
