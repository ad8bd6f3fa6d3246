/// A hash that is the same on every host, in every process and in every version.
public enum StableHash {
  /// FNV-1a of the text's bytes, its bits then mixed so that near texts lie far apart.
  public static func of(_ text: String) -> UInt64 {
    var hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }
}
