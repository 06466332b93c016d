import Foundation
import TestSupport
import Testing

@testable import CalDAV

@Suite("XML of replies")
struct XMLReaderTests {
    private static let document =
        #"<?xml version="1.0"?><m:multistatus xmlns:m="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">"#
        + #"<m:response><m:href>/a%40b/</m:href><x y:z="1" y="2" xmlns:y="u">강 &amp; <![CDATA[<]]></x></m:response>"#
        + "<!-- c --><?p i?><m:sync-token> t\r\n</m:sync-token></m:multistatus>"

    /// Reads a document in pieces: a description of its children, or nil if it is refused.
    private func read(_ pieces: [Data], _ limits: CalDAVLimits = CalDAVLimits()) -> String? {
        var children: [XMLElement] = []
        do {
            let reader = try XMLReader(root: "D:multistatus", limits: limits)
            for piece in pieces { children += try reader.read(piece) }
            children += try reader.finish()
        } catch {
            return nil
        }
        return children.map(describe).joined()
    }

    private func describe(_ element: XMLElement) -> String {
        let attributes = element.attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "(\(element.name)\(attributes) [\(element.text)]\(element.children.map(describe).joined()))"
    }

    @Test("Prefixes, namespaces, entities and CDATA; comments and instructions are left out")
    func names() {
        let text = "(D:response [](D:href [/a%40b/])(C:x u z=1 y=2 [강 & <]))(D:sync-token [ t\n])"
        #expect(read([Data(XMLReaderTests.document.utf8)]) == text)
        let utf16 = XMLReaderTests.document.data(using: .utf16) ?? Data()
        #expect(read([utf16]) == text)
        // expat reads a long tag that arrives in small pieces, and what comes after it, at the end of the document.
        let note = String(repeating: "-", count: 40)
        let long = XMLReaderTests.document.replacing("<m:sync-token>", with: "<m:sync-token a='\(note)|\(note)|'>")
        let pieces = long.split(separator: "|").map { Data($0.utf8) }
        #expect(read(pieces) == text.replacing("sync-token", with: "sync-token a=\(note)\(note)"))
        // As many parts as the limit says.
        for (count, isRead) in [(2, true), (3, false)] {
            let parts = String(repeating: "<m:a/>", count: count)
            let document = Data("<m:multistatus xmlns:m='DAV:'>\(parts)</m:multistatus>".utf8)
            #expect((read([document], CalDAVLimits(members: 2)) != nil) == isRead)
        }
        #expect(RequestXML.escaped("a\r\n\u{1}<&>\"") == "a&#13;\n&lt;&amp;&gt;&quot;")
        #expect(
            XMLElement(name: "", text: " \n a b\t").trimmedText == "a b"
                && XMLElement(name: "", text: " ").trimmedText == ""
        )
    }

    @Test("The problem of a malformed document names the line and what is wrong")
    func problem() {
        let expected = "the XML is malformed in line 2: not well-formed (invalid token)"
        #expect {
            try XMLReader(root: "D:multistatus", limits: CalDAVLimits())
                .read(Data("<m:multistatus xmlns:m='DAV:'>\n<&".utf8))
        } throws: { error in
            if case .malformedReply(expected)? = (error as? ReplyProblem)?.reason { true } else { false }
        }
    }

    @Test("A damaged document has the same result however it is divided")
    func damaged() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let whole = Array(XMLReaderTests.document.utf8)
        let end = ContinuousClock.now + fuzzTime
        var (good, bad) = (0, 0)
        repeat {
            var bytes = whole
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(place + Int.random(in: 1...9, using: &random), bytes.count))
                default:
                    bytes.insert(contentsOf: bytes[place...].prefix(Int.random(in: 1...40, using: &random)), at: place)
                }
            }
            var (pieces, rest): ([Data], [UInt8]) = ([], bytes)
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(30, rest.count), using: &random)
                pieces.append(Data(rest.prefix(count)))
                rest.removeFirst(count)
            }
            let result = read([Data(bytes)])
            #expect(read(pieces) == result, "seed \(seed)")
            if result == nil { bad += 1 } else { good += 1 }
        } while ContinuousClock.now < end
        #expect(good > 0 && bad > 0, "seed \(seed): \(good) \(bad)")
    }
}
