internal import CWorker
internal import Glibc
internal import JobKit

/// A program that is running, with a guard beside it that kills it when this process dies or is frozen.
struct GuardedProgram: ~Copyable {
  /// What is run, and by whose rights.
  struct Call {
    let words: [String]
    let variables: [(name: String, value: String)]
    let folder: String
    let user: CommandUser?
    let memory: Int?
    let files: Int?
    let patience: Duration
  }

  /// What it has printed so far.
  private(set) var output: ProgramOutput

  /// What keeps it alive.
  let lifeline: Lifeline

  private let guardian: pid_t
  private let pipes: Pipes
  private var lines: ProgressLines
  private var openPipes: [Int32]
  private var end: ProgramEnd?

  /// How often the pipes were read since the guard is gone.
  private var lastReads = 0

  /// The ends from which this process reads.
  private struct Pipes {
    let output: Int32
    let errors: Int32
    let progress: Int32
    let reports: Int32

    /// In the order in which what they have is read.
    var all: [Int32] { [output, errors, progress, reports] }
  }

  /// Starts it; without another word from its lifeline it lives until `deadline`, as its guard counts.
  static func start(
    _ call: Call, until deadline: Int64, hearing listener: @escaping ProgramOutput.Listener
  ) throws(CommandFault) -> GuardedProgram {
    let made = try PipeSet()
    var order = unsafe guarded_command()
    unsafe (order.output, order.errors) = (made.output.write, made.errors.write)
    unsafe order.progress = made.progress.write
    unsafe (order.orders, order.reports) = (made.orders.read, made.reports.write)
    unsafe order.deadline = deadline
    unsafe order.memory = UInt64(call.memory ?? 0)
    unsafe order.files = UInt64(call.files ?? 0)
    let guardian = unsafe start(call, &order)
    let code = errno
    guard guardian > 0 else {
      made.closeAll()
      throw CommandFault(step: .program, errno: code)
    }
    made.closeTheirs()
    return GuardedProgram(
      guardian, made, lifeline: Lifeline(made.orders.write, patience: call.patience),
      output: ProgramOutput(hearing: listener))
  }

  private init(
    _ guardian: pid_t, _ made: PipeSet, lifeline: Lifeline, output: ProgramOutput
  ) {
    self.guardian = guardian
    self.lifeline = lifeline
    pipes = Pipes(
      output: made.output.read, errors: made.errors.read, progress: made.progress.read,
      reports: made.reports.read)
    openPipes = pipes.all
    (self.output, lines, end) = (output, ProgressLines(), nil)
  }

  deinit {
    lifeline.cut()
    // The guard ends when the program has, which is now.
    var status: Int32 = 0
    while unsafe waitpid(guardian, &status, 0) < 0, errno == EINTR {}
    for pipe in pipes.all { close(pipe) }
  }

  private static func start(_ call: Call, _ order: inout guarded_command) -> pid_t {
    let (words, variables) = unsafe (
      CTextList(call.words), CTextList(call.variables.map { "\($0.name)=\($0.value)" })
    )
    let folder = unsafe CTextList([call.folder])
    // C reads what they hold until the guard is started.
    defer { unsafe withExtendedLifetime((words, variables, folder)) {} }
    let groups = call.user?.groups ?? []
    if let user = call.user {
      unsafe order.changes_user = 1
      unsafe (order.user, order.group) = (user.user, user.group)
    }
    return unsafe words.list.withUnsafeBufferPointer { words in
      unsafe variables.list.withUnsafeBufferPointer { variables in
        unsafe groups.withUnsafeBufferPointer { groups in
          unsafe order.folder = unsafe UnsafePointer(folder.list[0])
          unsafe order.words = words.baseAddress
          unsafe order.environment = variables.baseAddress
          unsafe (order.groups, order.group_count) = (groups.baseAddress, groups.count)
          return unsafe start_command_guard(&order)
        }
      }
    }
  }
}

extension GuardedProgram {
  /// What there is to know.
  enum News: Equatable {
    case progress(ProgressLines.Step)
    case ended(ProgramEnd)
  }

  /// Waits for what there is to know, at most so long.
  mutating func next(within limit: Duration?) -> News? {
    let until = limit.map { ContinuousClock.now + $0 }
    while !openPipes.isEmpty {
      // Where the guard is gone, a child of the program's that lives may hold the other pipes open for ever: what
      // they have by now is read, and no more.
      let isOver = !openPipes.contains(pipes.reports)
      lastReads += isOver ? 1 : 0
      if lastReads > Self.mostLastReads { break }
      var waiting = openPipes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let left = until.map { Int32(clamping: max(0, Int(($0 - .now) / .milliseconds(1)) + 1)) }
      let count = unsafe poll(&waiting, nfds_t(waiting.count), isOver ? 0 : left ?? -1)
      if count == 0, isOver { break }
      if count == 0 { return nil }
      let ready = waiting.filter { $0.revents != 0 }.map(\.fd)
      if let step = heed(ready) { return .progress(step) }
    }
    output.end()
    return .ended(end ?? .unknown)
  }

  /// As many as a pipe that is full takes, and one more.
  private static let mostLastReads = 6

  /// Reads from pipes; gives the last step of which the program has told.
  private mutating func heed(_ ready: [Int32]) -> ProgressLines.Step? {
    var step: ProgressLines.Step?
    for pipe in ready {
      let bytes = read(pipe)
      switch pipe {
      case pipes.output: output.take(bytes, from: .output)
      case pipes.errors: output.take(bytes, from: .errors)
      case pipes.progress: step = lines.take(bytes) ?? step
      default: hear(bytes)
      }
    }
    return step
  }

  /// Some of what there is; when there will be no more the pipe is at its end.
  private mutating func read(_ pipe: Int32) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe Glibc.read(pipe, &bytes, bytes.count)
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR {
      openPipes.removeAll { $0 == pipe }
    }
    return bytes.prefix(max(count, 0))
  }

  /// Takes in what the guard reports.
  ///
  /// That a program could not be started is said first.
  private mutating func hear(_ bytes: ArraySlice<UInt8>) {
    let size = MemoryLayout<guard_report>.size
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: size)
    where start + size <= bytes.endIndex && end == nil {
      let report = unsafe bytes[start..<start + size].withUnsafeBytes {
        unsafe $0.loadUnaligned(as: guard_report.self)
      }
      end = ProgramEnd(report)
    }
  }
}

extension ProgramEnd {
  fileprivate init(_ report: guard_report) {
    if report.what == Int32(guard_unstarted) {
      self = .unstarted(Step(rawValue: report.why) ?? .program, report.value)
    } else {
      self = .ended(Status(report.value), Reason(rawValue: report.why) ?? .itself)
    }
  }
}
