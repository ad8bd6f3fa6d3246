/// An array of one dimension, which may carry a whole batch; `[Value?]` has NULL among its elements.
extension Array: PostgresValue where Element: PostgresValue {
  public static var postgresType: PostgresType { Element.postgresType.array }

  public static func reads(_ type: PostgresType) -> Bool {
    type.element.map { Element.reads($0) } ?? false
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    // Dimensions, whether there are NULLs, the elements' type; then the count and lower bound.
    guard bytes.byteCount >= 12 else { throw .invalid("it holds \(bytes.byteCount) bytes") }
    let dimensions = bytes.integer(as: Int32.self)
    guard dimensions != 0 else {
      self = []
      return
    }
    guard dimensions == 1, bytes.byteCount >= 20 else {
      throw .invalid("it is an array of \(dimensions) dimensions")
    }
    let elementType = PostgresType(oid: bytes.integer(at: 8))
    guard Element.reads(elementType) else { throw .wrongType }
    self = try Self.elements(
      in: bytes, count: Int(bytes.integer(at: 12, as: Int32.self)), elementType)
  }

  private static func elements(
    in bytes: RawSpan, count: Int, _ type: PostgresType
  ) throws(ValueProblem) -> [Element] {
    var elements = [Element]()
    elements.reserveCapacity(Swift.min(count, bytes.byteCount / 4))
    var offset = 20
    for _ in 0..<count {
      guard offset + 4 <= bytes.byteCount else { throw .invalid("it ends too early") }
      let size = Int(bytes.integer(at: offset, as: Int32.self))
      offset += 4
      guard offset + Swift.max(size, 0) <= bytes.byteCount else {
        throw .invalid("it ends too early")
      }
      elements.append(try element(in: bytes, at: offset, size: size, type))
      offset += Swift.max(size, 0)
    }
    return elements
  }

  private static func element(
    in bytes: RawSpan, at offset: Int, size: Int, _ type: PostgresType
  ) throws(ValueProblem) -> Element {
    guard size >= 0 else {
      guard let null = Element.null else { throw .invalid("an element of it is NULL") }
      return null
    }
    return try Element(reading: bytes.extracting(offset..<(offset + size)), of: type)
  }

  @inlinable
  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    guard Self.postgresType.oid != 0 else {
      throw .invalid("there is no array of \(Element.self) in Postgres")
    }
    let dimensions: Int32 = isEmpty ? 0 : 1
    bytes.append(bigEndian: dimensions)
    bytes.append(bigEndian: Int32(contains { $0.isNull } ? 1 : 0))
    bytes.append(bigEndian: Element.postgresType.oid)
    guard !isEmpty else { return }
    bytes.append(bigEndian: Int32(count))
    bytes.append(bigEndian: Int32(1))
    for element in self {
      try bytes.append(sized: element)
    }
  }
}
