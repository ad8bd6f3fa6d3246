internal import CNghttp2

/// A request's headers as the library takes them: all names and values in one text, and where each ends.
struct HeaderBlock {
  private(set) var text: [UInt8] = []
  private(set) var fields: [frames_field] = []

  init(of request: Request, to origin: Origin) {
    text.reserveCapacity(512)
    fields.reserveCapacity(request.headers.count + 4)
    add(":method", "POST")
    add(":scheme", "https")
    add(":authority", origin.authority)
    add(":path", request.path, isUnique: true)
    for header in request.headers { add(header.name, header.value, isUnique: header.isUnique) }
  }

  private mutating func add(_ name: String, _ value: String, isUnique: Bool = false) {
    text += name.utf8
    text += value.utf8
    fields.append(
      frames_field(
        name_length: UInt32(name.utf8.count), value_length: UInt32(value.utf8.count),
        is_unique: isUnique ? 1 : 0))
  }
}
