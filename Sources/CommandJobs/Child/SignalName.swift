internal import CWorker

/// What signals are called.
enum SignalName {
  static func of(_ number: Int32) -> String {
    unsafe signal_name(number).map { "SIG\(unsafe String(cString: $0))" } ?? "signal \(number)"
  }
}
