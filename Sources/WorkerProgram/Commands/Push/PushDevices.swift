internal import Config
internal import Jobs
internal import LocalTime
internal import Push
internal import Settings

extension PushAction {
  /// Shows a learner's devices, in the order in which a push is tried on them.
  static let devices = PushAction(
    name: "devices", purpose: "list a learner's devices, the first to be tried first",
    options: [.config, .learner, .json] + Option.ofTimes,
    examples: [("worker push devices --user 17", "which device the learner's next push goes to")],
    run: { arguments, console in
      guard let learner = try arguments.learner() else {
        throw UsageError(.missingOption(.learner), command: .push)
      }
      let session = try LedgerSession.openLedger(arguments)
      let devices = try LearnerDevice.all(of: learner, at: session.now, on: session.connection)
      let rules = ProviderRules(session.settings.rules)
      let list = DeviceList(devices: devices, rules: rules, now: session.now)
      guard !arguments.has(.json) else {
        try console.print(list.json(of: learner).pretty)
        return .done
      }
      guard !devices.isEmpty else {
        try console.print("learner \(learner) has no device")
        return .done
      }
      let times = try session.times(arguments, of: [])
      try console.show(list.table(times), arguments, of: .push)
      for remark in list.remarks { console.remark(remark) }
      return .done
    })
}

/// A learner's devices, and which of them is used.
private struct DeviceList {
  let devices: [LearnerDevice]
  let rules: ProviderRules
  let now: Instant

  func table(_ times: Times) -> Table {
    var table = Table(
      "use", Table.Column("device", rank: 3), "provider", "token's SHA-256",
      times.column("registered", rank: 2), times.column("invalid since", rank: 1), "reason")
    for (place, device) in devices.enumerated() {
      table.add(
        use(of: device, at: place), "\(device.id)", device.place.description, device.token.digest,
        times.text(device.registeredAt), device.invalidatedAt.map(times.text) ?? "",
        device.invalidReason ?? "")
    }
    return table
  }

  func json(of learner: Int) -> JSON {
    [
      "learner": .integer(learner),
      "devices": .array(
        devices.enumerated().map { place, device in
          [
            "use": .string(use(of: device, at: place)), "device": .integer(device.id),
            "provider": .string(device.provider.rawValue),
            "sandbox": .boolean(device.isSandbox), "token_sha256": .string(device.token.digest),
            "registered_at": .string(device.registeredAt.description),
            "invalidated_at": JSON(device.invalidatedAt?.description),
            "invalid_reason": JSON(device.invalidReason),
          ]
        }),
      "notes": .array(remarks.map { .string($0) }),
    ]
  }

  /// What the list cannot show of the one that is used.
  var remarks: [String] {
    guard let first = devices.first, first.mayBeTried(at: now) else {
      return devices.isEmpty ? [] : ["no push of this learner leaves: no device may be tried"]
    }
    guard rules.isUsed else {
      return ["'push.transport' is \"log\": pushes are only written to the log"]
    }
    return rules.enables(first.provider)
      ? [] : ["\(first.provider.rawValue) is not enabled: pushes of this learner wait until it is"]
  }

  private func use(of device: LearnerDevice, at place: Int) -> String {
    guard device.mayBeTried(at: now) else {
      return device.invalidatedAt == nil ? "later" : "never"
    }
    return place == 0 ? "first" : "if refused"
  }
}

extension LearnerDevice {
  fileprivate var place: PushPlace { PushPlace(provider, isSandbox: isSandbox) }
}
