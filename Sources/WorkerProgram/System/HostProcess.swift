internal import Glibc

/// The processes of this host, as the system knows them.
enum HostProcess {
  /// Whether the process of this number, which ran so long ago, is gone: there is none, it is dead and nobody has
  /// taken note of that, or its number is that of a younger one.
  static func isGone(_ process: Int, ranUntil age: Duration) -> Bool {
    guard let number = pid_t(exactly: process), number > 0 else { return false }
    // A process of another user is there, too, although it is not to be signalled.
    if kill(number, 0) != 0 { return errno == ESRCH }
    guard let text = try? FileText.read("/proc/\(process)/stat", atMost: 4096),
      let end = text.lastIndex(of: ")")
    else { return false }
    let fields = text[end...].split(separator: " ").dropFirst()
    guard let state = fields.first, fields.count > 19,
      let start = Double(fields[fields.startIndex + 19]), let sinceBoot
    else { return false }
    let started = Duration.seconds(start / Double(sysconf(Int32(_SC_CLK_TCK))))
    return state == "Z" || sinceBoot - started < age - .seconds(1)
  }

  private static var sinceBoot: Duration? {
    let text = try? FileText.read("/proc/uptime", atMost: 4096)
    return text?.split(separator: " ").first.flatMap { Double($0) }.map { .seconds($0) }
  }
}
