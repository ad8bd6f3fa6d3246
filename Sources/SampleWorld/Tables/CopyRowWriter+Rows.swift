internal import JobKit
internal import LocalTime
internal import Postgres

/// The rows of the app's tables, in the order of `AppTable.columns`.
extension CopyRowWriter {
  func write(_ person: Person) throws(PostgresError) {
    try write(
      person.id, person.name, person.zone, person.locale, person.status, person.audience,
      person.hasConsent, person.plan, person.isOptedIn, person.quiet?.from, person.quiet?.to,
      person.preferredMinute, person.repairsByItself, person.createdAt, person.changedAt)
  }

  func write(_ device: Device, of learner: Int) throws(PostgresError) {
    try write(
      learner, device.id, device.provider, device.environment, device.token, device.registeredAt,
      device.invalidatedAt, device.invalidatedAt.map { _ in "unregistered" })
  }

  func write(_ study: Study, of learner: Int) throws(PostgresError) {
    try write(
      learner, study.id, study.key, study.category, study.startedAt, study.endedAt,
      study.isCompleted, study.localDay, study.sentences, Real(study.accuracy),
      Real(study.firstTries), Real(study.hints), study.score,
      study.isOffline ? "offline" : "online", study.receivedAt)
  }

  func write(_ answer: Answer, of learner: Int) throws(PostgresError) {
    try write(
      learner, answer.id, answer.pattern, answer.isCorrect, answer.usedHint, answer.isFirstTry,
      answer.answeredAt, answer.receivedAt)
  }

  func write(_ reward: Reward, number: Int, of learner: Int) throws(PostgresError) {
    try write(
      learner, number, reward.key, reward.kind, reward.amount, reward.session, reward.serverClock,
      reward.receivedAt)
  }
}
