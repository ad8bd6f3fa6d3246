internal import Config
internal import JobKit
internal import Settings

/// What was found out about the providers that bring pushes, by whom it was told.
struct ProvidersAnswer {
  let text: String

  /// An object on lines of its own.
  let json: String

  /// Asks the daemon at an address, and the ledger when none tells.
  static func ask(_ address: HttpAddress?, _ arguments: Arguments) throws -> ProvidersAnswer {
    guard let address else {
      return try ledger(because: "'http.listen' is empty, so no daemon was asked", arguments)
    }
    do throws(HttpProbe.Silence) {
      return try daemon(at: address)
    } catch {
      return try ledger(because: "no daemon tells at \(address): \(error.reason)", arguments)
    }
  }

  private static func daemon(at address: HttpAddress) throws(HttpProbe.Silence) -> ProvidersAnswer {
    let text = try HttpProbe.get(PushSnapshot.path, from: address, as: "text/plain")
    let json = try HttpProbe.get(PushSnapshot.path, from: address, as: "application/json")
    guard text.status == 200, json.status == 200, json.body.hasPrefix("{") else {
      throw HttpProbe.Silence(
        reason: text.status == 404
          ? "it is of an older version" : "what answers there is no worker")
    }
    let snapshot = String(json.body.prefix { $0 != "\n" })
    return ProvidersAnswer(
      text: text.body,
      json: "{\n  \"asked\": \(JSON.string("\(address)").compact),\n  \"daemon\": \(snapshot)\n}\n")
  }

  private static func ledger(
    because reason: String, _ arguments: Arguments
  ) throws -> ProvidersAnswer {
    let found = try ProvidersInLedger.find(LedgerSession.openLedger(arguments))
    let json: JSON = [
      "asked": "ledger", "because": .string(reason), "ledger": found.json,
    ]
    return ProvidersAnswer(text: "\(reason)\n\n\(found.text)", json: json.pretty + "\n")
  }
}
