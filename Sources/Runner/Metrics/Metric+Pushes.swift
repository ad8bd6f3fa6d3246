/// What a daemon knows of the providers that bring its pushes.
extension Metric {
  public static let ofPushes: [Metric] = [
    .pushRequests, .pushSeconds, .pushLateness, .pushInFlight, .pushWaiting, .pushWindow,
    .pushStreams, .pushConnections, .pushConnectionsOpened, .pushConnectionsClosed,
    .pushConnectionsFailed, .pushGoAways, .pushPing, .pushTokenAge, .pushTokensMinted,
    .pushBreaker, .pushBreakerOpen, .pushRate, .deviceTokensInvalidated, .pushJournalPlaces,
    .pushJournalUsed, .pushJournalLost,
  ]
}

extension Metric {
  public static let pushRequests = Metric(
    "worker_push_requests_total", .counter, by: ["provider", "outcome", "reason"],
    "Pushes that a provider was to bring, by what became of them; not_sent ones are tried again.")
  public static let pushSeconds = Metric(
    "worker_push_seconds",
    .histogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]), by: ["provider"],
    "How long it took from the hand-off of a push to the provider's answer.")
  public static let pushLateness = Metric(
    "worker_push_late_seconds",
    .histogram([1, 5, 10, 30, 60, 120, 300, 900, 1800, 3600]), by: ["provider"],
    "How long after the minute in which they were due pushes were sent.")
  public static let pushInFlight = Metric(
    "worker_push_in_flight", .gauge, by: ["provider"],
    "Pushes that have left, or are about to, and have no answer yet.")
  public static let pushWaiting = Metric(
    "worker_push_waiting", .gauge, by: ["provider"], "Pushes that wait for a stream.")
  public static let pushWindow = Metric(
    "worker_push_window", .gauge,
    "How many pushes each part of a run has in hand at most: the setting 'push.in_flight'.")
  public static let pushStreams = Metric(
    "worker_push_streams_allowed", .gauge, by: ["provider"],
    "How many pushes may be out at once on the connections that are open.")
}

extension Metric {
  public static let pushConnections = Metric(
    "worker_push_connections", .gauge, by: ["provider", "state"],
    "Connections to the provider: opening, open, or leaving.")
  public static let pushConnectionsOpened = Metric(
    "worker_push_connections_opened_total", .counter, by: ["provider"],
    "Connections that the provider has accepted.")
  public static let pushConnectionsClosed = Metric(
    "worker_push_connections_closed_total", .counter, by: ["provider", "why"],
    "Connections that were open and have ended.")
  public static let pushConnectionsFailed = Metric(
    "worker_push_connections_failed_total", .counter, by: ["provider", "why"],
    "Connections that could not be made.")
  public static let pushGoAways = Metric(
    "worker_push_goaway_total", .counter, by: ["provider", "reason"],
    "How often the provider has asked for the end of a connection.")
  public static let pushPing = Metric(
    "worker_push_ping_seconds", .gauge, by: ["provider"], "How long the latest PING took.")
}

extension Metric {
  public static let pushTokenAge = Metric(
    "worker_push_token_age_seconds", .gauge, by: ["provider"],
    "How old the token is that pushes are sent with; absent before the first.")
  public static let pushTokensMinted = Metric(
    "worker_push_tokens_minted_total", .counter, by: ["provider"],
    "Tokens that this daemon has made or fetched.")
  public static let pushBreaker = Metric(
    "worker_push_breaker", .gauge, by: ["provider"],
    "0 while pushes leave, 2 while none does, 1 while one has left to see.")
  public static let pushBreakerOpen = Metric(
    "worker_push_breaker_open_seconds", .gauge, by: ["provider"],
    "For how long the provider has been stopped; 0 when it is not.")
  public static let pushRate = Metric(
    "worker_push_rate_limit", .gauge, by: ["provider"],
    "How many pushes may leave in a second now.")
  public static let deviceTokensInvalidated = Metric(
    "worker_device_tokens_invalidated_total", .counter, by: ["provider", "reason"],
    "Devices that the provider has called gone.")
  public static let pushJournalPlaces = Metric(
    "worker_push_journal_places", .gauge, "How many pushes the journal has room for.")
  public static let pushJournalUsed = Metric(
    "worker_push_journal_used", .gauge, "How many pushes and parts the journal holds.")
  public static let pushJournalLost = Metric(
    "worker_push_journal_lost_total", .counter,
    "Entries that the journal has forgotten too early, because it was full.")
}
