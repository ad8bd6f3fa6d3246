internal import LocalTime
internal import Postgres

/// A table that the app writes: its columns, and the rows that a life comes to in it.
enum AppTable: String, CaseIterable {
  case users, devices, sessions, attempts
  case rewards = "reward_pending"

  /// Which rows are meant, by when they reach the server.
  enum Share {
    case history
    case yetToCome
  }

  var columns: [String] {
    switch self {
    case .users:
      [
        "user_id", "display_name", "zone", "locale", "status", "audience", "guardian_consent",
        "plan", "push_opt_in", "quiet_from", "quiet_to", "preferred_minute", "auto_repair",
        "created_at", "changed_at",
      ]
    case .devices:
      [
        "user_id", "device_id", "provider", "environment", "token", "registered_at",
        "invalidated_at", "invalid_reason",
      ]
    case .sessions:
      [
        "user_id", "session_id", "idempotency_key", "category", "started_at", "ended_at",
        "completed", "local_day", "sentences", "accuracy", "first_try_rate", "hint_rate", "score",
        "source", "server_received_at",
      ]
    case .attempts:
      [
        "user_id", "attempt_id", "pattern_id", "correct", "hint_used", "first_try", "answered_at",
        "received_at",
      ]
    case .rewards:
      [
        "user_id", "queue_id", "idempotency_key", "kind", "amount", "session_id", "server_clock",
        "received_at",
      ]
    }
  }

  /// The column that says when a row reaches the server.
  var arrival: String {
    switch self {
    case .users: "changed_at"
    case .devices: "registered_at"
    case .sessions: "server_received_at"
    case .attempts, .rewards: "received_at"
    }
  }
}

extension AppTable {
  /// Writes the rows of one life; returns how many.
  func write(
    _ life: Life, _ share: Share, of world: World, to writer: CopyRowWriter
  ) throws(PostgresError) -> Int {
    switch self {
    case .users: try writeUsers(life, share, of: world, to: writer)
    case .devices:
      try count(life.devices, \.registeredAt, share, of: world) { device throws(PostgresError) in
        try writer.write(device, of: life.id)
      }
    case .sessions:
      try count(life.studies, \.receivedAt, share, of: world) { study throws(PostgresError) in
        try writer.write(study, of: life.id)
      }
    case .attempts:
      try count(
        life.studies.flatMap(life.answers), \.receivedAt, share, of: world
      ) { answer throws(PostgresError) in try writer.write(answer, of: life.id) }
    case .rewards:
      try writeRewards(life, share, of: world, to: writer)
    }
  }

  private func count<Row>(
    _ rows: [Row], _ arrival: KeyPath<Row, Instant>, _ share: Share, of world: World,
    _ write: (Row) throws(PostgresError) -> Void
  ) throws(PostgresError) -> Int {
    var count = 0
    for row in rows where share.has(row[keyPath: arrival], in: world) {
      try write(row)
      count += 1
    }
    return count
  }

  /// History knows a learner as of now; what is to come knows every state, so that whoever looks back can
  /// tell what was true when.
  private func writeUsers(
    _ life: Life, _ share: Share, of world: World, to writer: CopyRowWriter
  ) throws(PostgresError) -> Int {
    let isThere = life.biography.createdAt <= world.now
    let states =
      share == .yetToCome
      ? life.biography.states : isThere ? [life.biography.person(at: world.now)] : []
    for state in states { try writer.write(state) }
    return states.count
  }

  private func writeRewards(
    _ life: Life, _ share: Share, of world: World, to writer: CopyRowWriter
  ) throws(PostgresError) -> Int {
    var (number, count) = (0, 0)
    for reward in life.rewards {
      number += 1
      guard share.has(reward.receivedAt, in: world) else { continue }
      try writer.write(reward, number: number, of: life.id)
      count += 1
    }
    return count
  }
}

extension AppTable.Share {
  func has(_ arrival: Instant, in world: World) -> Bool {
    (arrival <= world.now) == (self == .history)
  }
}
