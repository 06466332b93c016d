/// Takes the outermost object of a JSON text apart; the text has been read as JSON before.
enum JSONMembers {
    /// The names, in their quotes, and the values of the members, in their order and as they are written.
    static func split(_ bytes: [UInt8]) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        var members: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        var (depth, start) = (0, 0)
        var name: ArraySlice<UInt8>?
        func end(_ place: Int) {
            if let name { members.append((name, bytes[start..<place])) }
            name = nil
        }
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                let close = endOfText(bytes, place)
                if depth == 1, name == nil { name = bytes[place...close] }
                place = close
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { end(place) }
            case UInt8(ascii: ":") where depth == 1: start = place + 1
            case UInt8(ascii: ",") where depth == 1: end(place)
            default: break
            }
            place += 1
        }
        return members
    }

    /// Where the quotes of a text close.
    private static func endOfText(_ bytes: [UInt8], _ open: Int) -> Int {
        var place = open + 1
        while place < bytes.count - 1, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place, bytes.count - 1)
    }
}
