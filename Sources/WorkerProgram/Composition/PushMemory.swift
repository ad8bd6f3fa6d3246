internal import JobKit
internal import LocalTime
internal import Push
internal import Synchronization

/// What this process and those before it on this host remember of pushes that they sent.
final class PushMemory: Sendable {
  /// The journal of this process, where there is a folder for it.
  let journal: PushJournal?

  private let folder: String?

  /// The journals of the dead that have been read: they change no more.
  private let known: Mutex<[JournalRemains]>

  /// Made with the first transport to a provider.
  static let ofThisProcess = PushMemory(folder: folder)

  /// The daemon's state folder, where there is one.
  static var folder: String? {
    Environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }

  private init(folder: String?) {
    self.folder = folder
    known = Mutex(folder.map { JournalRemains.prune(in: $0, keeping: Self.most) } ?? [])
    let name = "\(SystemClock.now().secondsSince1970)-\(UInt32.random(in: .min ... .max))"
    journal = folder.flatMap { Self.journal(in: $0, named: name) }
  }

  /// The journals of processes that are dead by now: others may have died since this one began.
  var remains: [JournalRemains] {
    guard let folder else { return [] }
    return known.withLock { known in
      known = JournalRemains.all(in: folder, knowing: known)
      return known
    }
  }

  private static func journal(in folder: String, named name: String) -> PushJournal? {
    do throws(JournalError) {
      return try PushJournal(in: folder, named: name)
    } catch {
      Console().remark(
        "no journal of pushes is kept: \(error); after a kill those under way count as uncertain")
      return nil
    }
  }

  private static let most = 8
}
