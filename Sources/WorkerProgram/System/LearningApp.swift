internal import Synchronization

/// Whether the learning app is part of this process: that is decided once, before the first command.
enum LearningApp {
  enum State {
    /// The program was composed without it, and knows no such app.
    case absent
    /// The program has it, and `[apps] learning = false` switches it off.
    case off
    case on
  }

  private static let stored = Mutex(State.on)

  static var state: State { stored.withLock { $0 } }
  static var isOn: Bool { state == .on }

  static func begin(_ state: State) {
    stored.withLock { $0 = state }
  }

  /// What is said only where the app is on; nothing elsewhere.
  static func whenOn<List: RangeReplaceableCollection>(_ list: @autoclosure () -> List) -> List {
    isOn ? list() : List()
  }

  static let name = "learning"
  static let remedy = "'learning = true' below [apps] of the settings switches it on"
}
