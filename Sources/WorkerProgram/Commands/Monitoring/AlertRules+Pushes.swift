/// The alerts about what brings pushes.
extension AlertRules {
  static let ofPushes = [
    Alert(
      name: "WorkerPushesStopped", condition: "max by (provider) (worker_push_breaker) > 0",
      lasting: "5m", severity: .page,
      summary: "no push leaves for {{ $labels.provider }}",
      advice: "worker push providers says why; the pushes wait until their windows end."),
    Alert(
      name: "WorkerPushesRefused",
      condition:
        "sum by (provider) (increase(worker_push_requests_total"
        + "{outcome=\"refused\",reason!~\"Unregistered|ExpiredToken|UNREGISTERED|410\"}[15m]))"
        + " > 0.1 * sum by (provider) (increase(worker_push_requests_total[15m])) + 10",
      lasting: "5m", severity: .ticket,
      summary: "{{ $labels.provider }} refuses more than a tenth of the pushes",
      advice: "worker push providers has the reasons; docs/push.md says what each means."),
    Alert(
      name: "WorkerPushesUncertain",
      condition:
        "sum by (provider) (increase(worker_push_requests_total{outcome=\"uncertain\"}[15m]))"
        + " > 0.02 * sum by (provider) (increase(worker_push_requests_total[15m])) + 10",
      lasting: "5m", severity: .ticket,
      summary: "more than 2 % of the pushes for {{ $labels.provider }} are uncertain",
      advice: "worker push providers says whether answers are missing or connections break; no such"
        + " push is sent again."),
    Alert(
      name: "WorkerPushAnswersUnknown",
      condition:
        "sum by (provider) (increase(worker_push_requests_total{reason=\"other\"}[1h])) > 0",
      lasting: "0m", severity: .ticket,
      summary: "{{ $labels.provider }} gives answers that the worker does not know",
      advice: "worker why schedule_daily_push --user LEARNER shows one; tell the authors of the"
        + " worker."),
    Alert(
      name: "WorkerPushesLate",
      condition:
        "histogram_quantile(0.9, sum by (provider, le)"
        + " (rate(worker_push_late_seconds_bucket[15m]))) > 300",
      lasting: "10m", severity: .ticket,
      summary: "a tenth of the pushes for {{ $labels.provider }} leaves more than 5 minutes late",
      advice:
        "worker push providers: is the rate low, or are all streams in use? worker ps: are the"
        + " workers busy?"),
    Alert(
      name: "WorkerPushConnectionsEnd",
      condition:
        "sum by (provider) (increase(worker_push_connections_failed_total[10m])) > 10"
        + " or sum by (provider) (increase(worker_push_goaway_total{reason!=\"NO_ERROR\"}[10m])) > 10",
      lasting: "5m", severity: .ticket,
      summary: "connections to {{ $labels.provider }} end or fail again and again",
      advice: "worker push providers has the reasons; look for a firewall, DNS or certificates."),
  ]
}
