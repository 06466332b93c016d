#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Certificates and keys in memory that libcurl reads in place: they live as long as the handles that were told of them.
final class CurlBlobs {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    /// Copies bytes to a place that stays.
    func keep(_ data: Data) -> UnsafeMutableRawBufferPointer {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
        data.withUnsafeBytes { block.copyMemory(from: $0) }
        blocks.append(block)
        return block
    }

    deinit {
        for block in blocks { block.deallocate() }
    }
}
