internal import Jobs

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
    rules.authorities.reduce(into: []) { seen, entry in
      let (table, authorities) = entry
      let file = authorities ?? path
      guard let reason = FileText.objection(toReading: file) else { return }
      let remedy =
        authorities == nil
        ? "install ca-certificates" : "correct '\(table).authorities'"
      let observation = Observation.problem(
        "cannot read certificates of authorities in '\(file)': \(reason)",
        why: "no certificate of a provider can be verified, so no push leaves", do: remedy)
      if !seen.contains(observation) { seen.append(observation) }
    }
  }
}
