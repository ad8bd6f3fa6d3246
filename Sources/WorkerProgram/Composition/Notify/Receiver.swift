internal import JobKit
internal import Runner
internal import Settings
internal import Web

/// Whoever is told or called over the web, wherever its address stands.
struct Receiver: Sendable {
  let place: AddressPlace

  /// Sends a request to the address and throws unless it is answered with success.
  ///
  /// A file is read each time, so that another address in it needs no restart.
  func expectSuccess(_ send: (String) throws(WebFailure) -> Int) throws(DeliveryError) {
    let address = try address()
    let status: Int
    do throws(WebFailure) {
      status = try send(address.url)
    } catch {
      throw DeliveryError("\(address.host): \(error)")
    }
    guard (200..<300).contains(status) else {
      throw DeliveryError("\(address.host) answers \(status)")
    }
  }

  /// Why it has no address that can be used; nothing where it has one.
  var objection: String? {
    do throws(DeliveryError) {
      _ = try address()
      return nil
    } catch {
      return error.description
    }
  }

  private func address() throws(DeliveryError) -> WebAddress {
    switch place {
    case .settings(let address): return address
    case .file(let path): return try Self.address(in: path)
    }
  }

  private static func address(in path: String) throws(DeliveryError) -> WebAddress {
    let text: String
    do throws(FileText.Unreadable) {
      text = try FileText.read(path, atMost: 4096)
    } catch {
      throw DeliveryError("cannot read the address in '\(path)': \(error)")
    }
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard let address = WebAddress(line) else {
      throw DeliveryError(
        "the first line of '\(path)' cannot be used: write a URL that begins with https://, or with"
          + " http:// and is of this machine")
    }
    return address
  }
}
