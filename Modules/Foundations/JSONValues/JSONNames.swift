/// The names that the members of an object are expected to have: a reader makes no string of them.
///
/// They are found fastest if they are in the order in which the objects have them.
package struct JSONNames: Sendable {
    /// The name of a member.
    package enum Name {
        /// The place of the name among the expected ones.
        case expected(Int)
        case other(String)
    }

    /// The names in UTF-8, each with the quotation mark at its end, one after another.
    private let bytes: [UInt8]
    private let starts: [Int]
    private let places: [String: Int]

    /// No names.
    static let none = JSONNames([])

    /// Creates the names of at most 64 members, which need no escapes.
    package init(_ names: [String]) {
        precondition(names.count <= 64, "a reader notes the members that it has read in 64 bits")
        bytes = names.flatMap { Array($0.utf8) + [UInt8(ascii: "\"")] }
        starts = names.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count + 1) }
        places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    }

    /// Returns the place of a name; `nil` if it is not expected.
    func place(of name: String) -> Int? { places[name] }

    /// Returns the place and the size of the name that begins at an offset of a text, if it is one of the four after `last`.
    func next(after last: Int, in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> (place: Int, size: Int)? {
        for place in last + 1..<max(last + 1, min(last + 5, starts.count - 1)) {
            let size = starts[place + 1] - starts[place]
            if size <= text.count - offset, isSame(starts[place], text, offset, size) { return (place, size) }
        }
        return nil
    }

    private func isSame(_ start: Int, _ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ size: Int) -> Bool {
        for index in 0..<size where bytes[start + index] != text[offset + index] { return false }
        return true
    }
}
