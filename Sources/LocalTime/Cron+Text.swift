extension Cron {
  /// Reads an expression such as `30 2 * * MON-FRI`, or a nickname such as `@daily`.
  public init(_ text: some StringProtocol) throws(CronError) {
    let written = String(text).split { $0 == " " || $0 == "\t" }
    let normal = written.joined(separator: " ")
    guard normal != "every", !normal.hasPrefix("every ") else { throw .every(normal) }
    guard normal.hasPrefix("@") else {
      try self.init(fields: written, text: normal)
      return
    }
    guard let expression = Self.nicknames[normal.lowercased()] else {
      throw Self.refusal(ofNickname: normal)
    }
    try self.init(fields: expression.split(separator: " "), text: normal)
  }

  private init(fields written: [Substring], text: String) throws(CronError) {
    guard (5...6).contains(written.count) else {
      throw .wrongFieldCount(text, count: written.count)
    }
    let fields = written.count == 5 ? ["0"] + written : written
    self.text = text
    seconds = try CronList(fields[0], in: .second).values
    minutes = try CronList(fields[1], in: .minute).values
    hours = try CronList(fields[2], in: .hour).values
    days = try CronDays(
      day: CronList(fields[3], in: .day), month: CronList(fields[4], in: .month),
      weekday: CronList(fields[5], in: .weekday))
  }
}

extension Cron {
  private static let nicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
  ]

  static let nicknameList = "@yearly, @monthly, @weekly, @daily or @hourly"

  private static func refusal(ofNickname text: String) -> CronError {
    switch text.lowercased() {
    case "@reboot": .reboot
    case let other where other.hasPrefix("@every"): .every(text)
    default: .unknownNickname(text, suggestion: closest(to: text, in: nicknames.keys.sorted()))
    }
  }
}
