import CChecksums

/// CRC-32C (Castagnoli), the checksum of RFC 3720, which detects every burst of up to 32 wrong bits.
///
/// Where the processor has no instruction for it, it is computed eight bytes at a time with eight tables (Kounavis and Berry,
/// "Novel table lookup-based algorithms for high-performance CRC generation", 2008).
package enum CRC32C {
    /// The eight tables of 256 entries, one after another.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1 }
            tables[index] = value
        }
        for index in 256..<tables.count {
            let previous = tables[index - 256]
            tables[index] = (previous >> 8) ^ tables[Int(previous & 255)]
        }
        return tables
    }()

    private static let hasInstruction = cchecksum_has_crc32c()

    /// Returns the checksum of `bytes`, or of all bytes so far if `previous` is the checksum of those before.
    package static func checksum(of bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
        guard hasInstruction else { return checksumByTables(of: bytes, after: previous) }
        return ~cchecksum_crc32c(~previous, bytes.baseAddress, bytes.count)
    }

    /// Returns the checksum without the processor's instruction.
    static func checksumByTables(of bytes: UnsafeRawBufferPointer, after previous: UInt32) -> UInt32 {
        var value = ~previous
        tables.withUnsafeBufferPointer { table in
            var index = 0
            while index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ value
                let high = UInt32(truncatingIfNeeded: word >> 32)
                let first = table[1792 + Int(low & 255)] ^ table[1536 + Int(low >> 8 & 255)]
                let second = table[1280 + Int(low >> 16 & 255)] ^ table[1024 + Int(low >> 24)]
                let third = table[768 + Int(high & 255)] ^ table[512 + Int(high >> 8 & 255)]
                let fourth = table[256 + Int(high >> 16 & 255)] ^ table[Int(high >> 24)]
                value = first ^ second ^ third ^ fourth
                index += 8
            }
            while index < bytes.count {
                value = table[Int((value ^ UInt32(bytes[index])) & 255)] ^ (value >> 8)
                index += 1
            }
        }
        return ~value
    }

    /// Returns the checksum of `bytes` or of a range of them.
    package static func checksum(of bytes: [UInt8], in range: Range<Int>? = nil) -> UInt32 {
        bytes.withUnsafeBytes { buffer in
            checksum(of: UnsafeRawBufferPointer(rebasing: buffer[range ?? 0..<buffer.count]))
        }
    }
}
