internal import JobKit
internal import LocalTime
internal import Push

/// What this process and those before it on this host remember of pushes that they sent.
struct PushMemory: Sendable {
  /// The journal of this process, where there is a folder for it.
  let journal: PushJournal?

  /// The journals of processes that are dead.
  let remains: [JournalRemains]

  /// Made with the first transport to a provider.
  static let ofThisProcess = PushMemory(folder: folder)

  /// The daemon's state folder, where there is one.
  static var folder: String? {
    Environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }

  private init(folder: String?) {
    guard let folder else {
      (journal, remains) = (nil, [])
      return
    }
    let all = JournalRemains.all(in: folder)
    // What a push was is known to the database soon after; a host that crashes in a circle must not fill its disk.
    for old in all.dropLast(Self.most) { old.remove() }
    remains = Array(all.suffix(Self.most))
    let word = UInt32.random(in: .min ... .max)
    journal = Self.journal(in: folder, named: "\(SystemClock.now().secondsSince1970)-\(word)")
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
