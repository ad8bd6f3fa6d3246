/// Searching local time: whole seconds since 1970 as if the wall showed UTC.
///
/// The search goes over day numbers, never over instants, so it ends by construction.
extension Cron {
  /// The first wanted local second on or after `local`.
  func first(from local: Int) -> Int? {
    let today = local.flooredDivision(by: 86_400)
    if days.contains(today), let time = firstTime(from: local - today * 86_400) {
      return today * 86_400 + time
    }
    guard let day = days.first(from: today + 1), let time = firstTime(from: 0) else { return nil }
    return day * 86_400 + time
  }

  /// The last wanted local second on or before `local`.
  func last(through local: Int) -> Int? {
    let today = local.flooredDivision(by: 86_400)
    if days.contains(today), let time = lastTime(through: local - today * 86_400) {
      return today * 86_400 + time
    }
    guard let day = days.last(through: today - 1), let time = lastTime(through: 86_399) else {
      return nil
    }
    return day * 86_400 + time
  }

  private func firstTime(from secondOfDay: Int) -> Int? {
    let hour = secondOfDay / 3600
    if hours.contains(hour), let rest = firstInHour(from: secondOfDay - hour * 3600) {
      return hour * 3600 + rest
    }
    guard let later = hours.first(from: hour + 1), let rest = firstInHour(from: 0) else {
      return nil
    }
    return later * 3600 + rest
  }

  private func firstInHour(from second: Int) -> Int? {
    let minute = second / 60
    if minutes.contains(minute), let rest = seconds.first(from: second - minute * 60) {
      return minute * 60 + rest
    }
    guard let later = minutes.first(from: minute + 1), let rest = seconds.first(from: 0) else {
      return nil
    }
    return later * 60 + rest
  }

  private func lastTime(through secondOfDay: Int) -> Int? {
    let hour = secondOfDay / 3600
    if hours.contains(hour), let rest = lastInHour(through: secondOfDay - hour * 3600) {
      return hour * 3600 + rest
    }
    guard let earlier = hours.last(through: hour - 1), let rest = lastInHour(through: 3599) else {
      return nil
    }
    return earlier * 3600 + rest
  }

  private func lastInHour(through second: Int) -> Int? {
    let minute = second / 60
    if minutes.contains(minute), let rest = seconds.last(through: second - minute * 60) {
      return minute * 60 + rest
    }
    guard let earlier = minutes.last(through: minute - 1), let rest = seconds.last(through: 59)
    else { return nil }
    return earlier * 60 + rest
  }
}
