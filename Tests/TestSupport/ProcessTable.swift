private import Glibc

/// What the system says about the processes that run.
enum ProcessTable {
  /// The processes that `parent` has started.
  static func children(of parent: Int32) -> [Int32] {
    all.filter { process in
      guard let status = try? TextFile.read("/proc/\(process)/stat") else { return false }
      // The name in brackets may hold anything; behind it come the state and the parent.
      let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
      return fields.count > 2 && Int32(fields[2]) == parent
    }
  }

  /// Whether a signal was sent to a process that has not seen it yet.
  static func isPending(_ signal: Int32, for process: Int32) -> Bool {
    guard let status = try? TextFile.read("/proc/\(process)/status") else { return false }
    return status.split(separator: "\n").filter {
      $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:")
    }
    .compactMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) }
    .contains { $0 >> UInt64(signal - 1) & 1 == 1 }
  }

  private static var all: [Int32] {
    guard let folder = unsafe opendir("/proc") else { return [] }
    defer { unsafe closedir(folder) }
    var processes = [Int32]()
    while let entry = unsafe readdir(folder) {
      let name = unsafe Swift.withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let process = Int32(name) { processes.append(process) }
    }
    return processes
  }
}
