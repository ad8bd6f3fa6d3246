internal import CPostgres

/// Where libpq leaves its notices.
final class NoticeSink {
  /// How many notices have come.
  private(set) var count = 0

  private let receive: @Sendable (Notice) -> Void

  init(_ receive: @escaping @Sendable (Notice) -> Void) {
    self.receive = receive
  }

  /// Lets `connection` report here; the sink must outlive it.
  @unsafe func attach(to connection: OpaquePointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context = unsafe context, let result = unsafe result else { return }
        let sink = unsafe Unmanaged<NoticeSink>.fromOpaque(context).takeUnretainedValue()
        sink.count += 1
        unsafe sink.receive(Notice(result))
      }, context)
  }
}

extension Notice {
  @unsafe fileprivate init(_ result: OpaquePointer) {
    // The result stays libpq's: it is read here and not kept.
    func field(_ code: UnicodeScalar) -> String? {
      unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
    }
    severity = field("V") ?? "NOTICE"
    sqlState = field("C") ?? "00000"
    message = field("M") ?? "without words"
    detail = field("D")
    hint = field("H")
  }
}
