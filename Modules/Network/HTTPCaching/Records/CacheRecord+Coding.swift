import EssentialFoundation

/// The binary format of a record: a version, the number of responses, then the parts of each; numbers are
/// little-endian, strings and bytes follow their length in four bytes. Decoding validates everything, and rejects an
/// invalid record as a whole.
extension CacheRecord {
    private static let version: UInt8 = 1

    /// The encoded record.
    var encoded: Data {
        var writer = Writer()
        writer.bytes.append(CacheRecord.version)
        writer.add(UInt32(variants.count))
        for variant in variants {
            writer.add(variant.partition)
            writer.bytes.append(variant.isDecompressed ? 1 : 0)
            writer.add(UInt32(variant.varyNames.count))
            for name in variant.varyNames { writer.add(Array(name.utf8)) }
            writer.add(variant.varyDigest)
            writer.add(variant.head)
            writer.add(variant.fields)
            switch variant.body {
            case .inline(let data):
                writer.bytes.append(0)
                writer.add(UInt32(data.count))
                writer.bytes.append(data)
            case .separate(let key, let count):
                writer.bytes.append(1)
                writer.add(Array(key.utf8))
                writer.add(UInt64(count))
            }
        }
        return writer.bytes
    }

    /// Decodes a record; nil for invalid bytes.
    init?(_ data: Data) {
        let variants = data.withUnsafeBytes { bytes -> [CachedVariant]? in
            var reader = Reader(bytes: bytes)
            guard reader.byte() == CacheRecord.version, let count = reader.number(UInt32.self),
                count <= UInt32(CacheRecord.limit)
            else { return nil }
            var variants: [CachedVariant] = []
            for _ in 0..<count {
                guard let variant = reader.variant() else { return nil }
                variants.append(variant)
            }
            return reader.isAtEnd ? variants : nil
        }
        guard let variants else { return nil }
        self.variants = variants
    }

    private struct Writer {
        var bytes = Data()

        mutating func add(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func add(_ head: StoredHead) {
            add(UInt32(truncatingIfNeeded: head.status))
            for time in [head.requestTime, head.responseTime, head.date, head.lifetime] { add(time.bitPattern) }
            add(UInt32(truncatingIfNeeded: head.ageField))
            bytes.append(head.setsCookie ? 1 : 0)
            add(head.control.flags)
            for number in head.control.numbers { add(number.map { Int32(truncatingIfNeeded: $0) } ?? -1) }
        }

        mutating func add(_ array: [UInt8]) {
            add(UInt32(array.count))
            bytes.append(contentsOf: array)
        }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func byte() -> UInt8? { number(UInt8.self) }

        mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
            let size = MemoryLayout<Number>.size
            guard bytes.count - index >= size else { return nil }
            defer { index += size }
            return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: Number.self))
        }

        mutating func part() -> UnsafeRawBufferPointer? {
            guard let count = number(UInt32.self), bytes.count - index >= Int(count) else { return nil }
            defer { index += Int(count) }
            return UnsafeRawBufferPointer(rebasing: bytes[index..<index + Int(count)])
        }

        mutating func array() -> [UInt8]? { part().map { Array($0) } }

        mutating func text() -> String? { part().flatMap { String(validating: $0, as: UTF8.self) } }

        mutating func variant() -> CachedVariant? {
            guard let partition = array(), let isDecompressed = flag(), let nameCount = number(UInt32.self),
                Int(nameCount) <= bytes.count
            else { return nil }
            var names: [String] = []
            for _ in 0..<nameCount {
                guard let name = text() else { return nil }
                names.append(name)
            }
            guard let varyDigest = array(), let head = head(), let fields = array(), let body = body() else {
                return nil
            }
            return CachedVariant(
                partition: partition,
                isDecompressed: isDecompressed,
                varyNames: names,
                varyDigest: varyDigest,
                head: head,
                fields: fields,
                body: body
            )
        }

        private mutating func head() -> StoredHead? {
            guard let status = number(UInt32.self), (200...599).contains(status), let requestTime = time(),
                let responseTime = time(), let date = time(), let lifetime = time(),
                let ageField = number(UInt32.self), ageField <= UInt32(CacheControl.longest), let setsCookie = flag(),
                let flags = number(UInt16.self), let maxAge = number(Int32.self), maxAge >= -1,
                let staleIfError = number(Int32.self), staleIfError >= -1,
                let staleWhileRevalidate = number(Int32.self), staleWhileRevalidate >= -1,
                let control = CacheControl(
                    flags: flags,
                    maxAge: maxAge >= 0 ? Int(maxAge) : nil,
                    staleIfError: staleIfError >= 0 ? Int(staleIfError) : nil,
                    staleWhileRevalidate: staleWhileRevalidate >= 0 ? Int(staleWhileRevalidate) : nil
                )
            else { return nil }
            return StoredHead(
                status: Int(status),
                requestTime: requestTime,
                responseTime: responseTime,
                control: control,
                date: date,
                ageField: Int(ageField),
                lifetime: lifetime,
                setsCookie: setsCookie
            )
        }

        private mutating func flag() -> Bool? { byte().flatMap { $0 < 2 ? $0 == 1 : nil } }

        private mutating func time() -> Double? {
            guard let bits = number(UInt64.self) else { return nil }
            let time = Double(bitPattern: bits)
            return time.isFinite && abs(time) < 1e12 ? time : nil
        }

        private mutating func body() -> CachedVariant.Body? {
            switch byte() {
            case 0: return part().map { .inline(Data($0)) }
            case 1:
                guard let key = text(), let count = number(UInt64.self), count <= UInt64(Int64.max) else { return nil }
                return .separate(key: key, count: Int(count))
            default: return nil
            }
        }
    }
}
