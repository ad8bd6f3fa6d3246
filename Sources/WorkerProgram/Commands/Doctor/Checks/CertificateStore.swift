internal import Jobs
internal import Postgres

/// The file of the authorities whose certificates of providers are believed.
struct CertificateStore {
  let path: String

  /// That of Debian's ca-certificates, or the one that the variable of OpenSSL names.
  static var ofTheMachine: CertificateStore {
    let named = Environment["SSL_CERT_FILE"] ?? ""
    return CertificateStore(path: named.isEmpty ? "/etc/ssl/certs/ca-certificates.crt" : named)
  }

  /// What keeps a certificate of an enabled provider from being verified.
  func observations(of rules: ProviderRules) -> [Observation] {
    let own = [
      ("push.apns", rules.apple.map(\.way.authorities)),
      ("push.fcm", rules.google.map(\.way.authorities)),
      ("push.webhook", rules.webhook.map(\.authorities)),
    ].compactMap { table, authorities in authorities.map { (table, $0) } }
    return own.reduce(into: []) { seen, entry in
      let (table, authorities) = entry
      let file = authorities ?? path
      guard let reason = Self.objection(to: file) else { return }
      let remedy =
        authorities == nil
        ? "install ca-certificates" : "correct '\(table).authorities'"
      let observation = Observation.problem(
        "cannot read certificates of authorities in '\(file)': \(reason)",
        why: "no certificate of a provider can be verified, so no push leaves", do: remedy)
      if !seen.contains(observation) { seen.append(observation) }
    }
  }

  private static func objection(to file: String) -> String? {
    do throws(BoundedFile.Refused) {
      // What is not there is no reason for it to refuse.
      try BoundedFile.check(file)
    } catch {
      return FileText.Unreadable(error).description
    }
    do throws(FileText.Unreadable) {
      return try FileFacts(of: file).isReadable ? nil : "permission denied"
    } catch {
      return error.description
    }
  }
}
