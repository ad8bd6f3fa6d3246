internal import CWorker
internal import Glibc

/// The pipes between this process, a guard and its program.
struct PipeSet {
  struct Pipe {
    let read: Int32
    let write: Int32

    /// Neither end is inherited by itself, and reading blocks nobody.
    init() throws(CommandFault) {
      var ends: [Int32] = [-1, -1]
      guard unsafe private_pipe(&ends) == 0 else {
        throw CommandFault(step: .program, errno: errno)
      }
      (read, write) = (ends[0], ends[1])
    }

    /// One that takes messages: whoever writes where nobody reads gets an error instead of a signal.
    static func ofMessages() throws(CommandFault) -> Pipe {
      let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
        throw CommandFault(step: .program, errno: errno)
      }
      return Pipe(read: ends[0], write: ends[1])
    }

    private init(read: Int32, write: Int32) {
      (self.read, self.write) = (read, write)
    }

    func closeBoth() {
      close(read)
      close(write)
    }
  }

  let output: Pipe
  let errors: Pipe
  let progress: Pipe
  let orders: Pipe
  let reports: Pipe

  init() throws(CommandFault) {
    var made: [Pipe] = []
    do throws(CommandFault) {
      for _ in 0..<4 { made.append(try Pipe()) }
      made.append(try Pipe.ofMessages())
    } catch {
      made.forEach { $0.closeBoth() }
      throw error
    }
    (output, errors, progress) = (made[0], made[1], made[2])
    (reports, orders) = (made[3], made[4])
  }

  /// Closes the ends that are the guard's and the program's; or no pipe would ever be at its end.
  func closeTheirs() {
    let theirs = [output.write, errors.write, progress.write, orders.read, reports.write]
    for end in theirs { close(end) }
  }

  func closeAll() {
    for pipe in [output, errors, progress, orders, reports] { pipe.closeBoth() }
  }
}
