import LocalTime

/// A push as a dry run speaks of it.
struct PushName: CustomStringConvertible {
  let learner: Int
  let day: CivilDate

  var description: String { "learner \(learner), push of \(day)" }
}
