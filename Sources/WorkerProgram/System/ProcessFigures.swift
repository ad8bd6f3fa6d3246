internal import CWorker
internal import Glibc
internal import JobKit
internal import Runner

/// What the system knows of this process.
enum ProcessFigures {
  /// Adds them to the figures of a daemon; what the system does not tell is left out.
  static func add(to store: inout MetricStore) {
    store.set(.processStart, to: startedAt)
    let fields = fields(of: "/proc/self/stat")
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    // Behind the name: the state is the first, processor times the 12th and 13th, memory the 21st and 22nd.
    if fields.count > 21 {
      store.set(.processCPU, to: (fields[11] + fields[12]) / ticks)
      store.set(.processVirtualMemory, to: fields[20])
      store.set(.processMemory, to: fields[21] * Double(sysconf(Int32(_SC_PAGESIZE))))
    }
    store.set(.openFiles, to: Double(FolderNames.count(in: "/proc/self/fd")))
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      store.set(.mostFiles, to: Double(limit.rlim_cur))
    }
  }

  /// When this was first asked, which is at the start.
  static let startedAt = Double(wall_clock_microseconds()) / 1_000_000

  private static func fields(of file: String) -> [Double] {
    guard let text = try? FileText.read(file, atMost: 4096), let end = text.lastIndex(of: ")")
    else { return [] }
    return text[end...].split(separator: " ").dropFirst().map { Double($0) ?? 0 }
  }
}
