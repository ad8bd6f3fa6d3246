internal import HTTP2
internal import JobKit
internal import Jobs
internal import Settings

/// Whether pushes can be written where the settings send them.
struct PushLogCheck: HostCheck {
  let name = "push"

  func check(at patient: Patient) -> [Observation] {
    let providers = ProviderRules(patient.settings.rules)
    guard !providers.isUsed else {
      return Self.observations(of: providers, reaching: patient.reachesProviders)
    }
    guard let path = PushPlaces(patient.settings.rules).log else {
      return [
        .note("pushes go to the log of the daemon, without their texts: \(Self.nothingExpires)")
      ]
    }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    guard FileFacts.isWritable(folder.isEmpty ? "/" : folder) || FileFacts.isWritable(path) else {
      return [
        .problem(
          "this user cannot write pushes to '\(path)'",
          why: "a push that cannot be sent is tried until its window ends, and then is lost",
          do:
            "let the folder belong to the user that the daemon runs as, or name another in 'push.log'"
        )
      ]
    }
    return [.note("pushes go to the log '\(path)': \(Self.nothingExpires)")]
  }

  private static func observations(
    of rules: ProviderRules, reaching reaches: Bool
  ) -> [Observation] {
    do throws(PushKeyFault) {
      let keys = try PushKeys(rules)
      let names = [
        ("apns", keys.apple != nil), ("fcm", keys.google != nil), ("webhook", keys.webhook != nil),
      ].filter(\.1).map(\.0)
      guard !names.isEmpty else {
        return [
          .problem(
            "pushes go to providers, and none is enabled", why: "no push can leave",
            do: "write 'enabled = true' below [push.apns], [push.fcm] or [push.webhook]")
        ]
      }
      if names != ["webhook"], let library = ConnectionPool.missingLibrary {
        return [
          .problem(
            "\(library)", why: "no push to Apple or Google can leave",
            do: "install libnghttp2-14 and libssl3")
        ]
      }
      let note = "pushes go to \(names.joined(separator: ", ")): their keys can be read"
      return [.note(note)] + CertificateStore.ofTheMachine.observations(of: rules)
        + (reaches ? PushReach(rules, keys).observations : [])
    } catch {
      return [
        .problem(
          "\(error)", why: "no push of that provider can leave",
          do: "see docs/push.md, which makes each key step by step")
      ]
    }
  }

  private static let nothingExpires =
    "this transport has no credentials, so none can expire, and no learner gets any push"
}
