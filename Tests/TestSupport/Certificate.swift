/// A certificate and its key, signed by an authority made for one test.
public struct Certificate: Sendable {
  /// The path of the authority's certificate, for `sslrootcert`.
  public let authority: String

  /// The path of the certificate.
  public let certificate: String

  /// The path of its key.
  public let key: String

  /// Keeps the files for as long as somebody has the certificate.
  private let folder: ScratchFolder

  /// Makes an authority and a certificate for the host name `host`, in `folder`.
  public init(for host: String, in folder: ScratchFolder) throws {
    self.folder = folder
    authority = "\(folder.path)/authority.crt"
    certificate = "\(folder.path)/\(host).crt"
    key = "\(folder.path)/\(host).key"
    let authorityKey = "\(folder.path)/authority.key"
    let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try ChildProcess.run(
      "openssl",
      ["req", "-x509", "-days", "2", "-subj", "/CN=authority of a test"] + newKey
        + ["-keyout", authorityKey, "-out", authority])
    let request = "\(folder.path)/\(host).csr"
    try ChildProcess.run(
      "openssl", ["req", "-subj", "/CN=\(host)"] + newKey + ["-keyout", key, "-out", request])
    let names = try folder.write("subjectAltName=DNS:\(host)\n", to: "\(host).ext")
    try ChildProcess.run(
      "openssl",
      ["x509", "-req", "-days", "2", "-in", request, "-CA", authority, "-CAkey", authorityKey]
        + ["-CAcreateserial", "-extfile", names, "-out", certificate])
  }
}
