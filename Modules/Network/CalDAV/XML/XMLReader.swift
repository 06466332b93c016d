import CExpat
import EssentialFoundation
import TextEscaping

/// Why a reply cannot be read.
struct ReplyProblem: Error {
    var reason: CalDAVError.Reason
    /// The element that is missing, wrong or not closed.
    var element: String?

    /// A reply that violates the protocol.
    static func malformed(_ text: String, _ element: String?) -> ReplyProblem {
        ReplyProblem(reason: .malformedReply(text), element: element)
    }

    /// A missing element.
    static func missing(_ element: String) -> ReplyProblem { malformed("\(element) is missing", element) }
}

/// Reads an XML document as it arrives, by expat, and returns the children of its root as soon as they are complete, so that
/// a long reply is never in memory as a whole.
///
/// A document type is refused: with it, a few lines could expand to gigabytes.
final class XMLReader {
    /// The maximum number of elements in a child of the root.
    private static let elementsInChild = 20_000
    /// The maximum size of a tag or a comment in bytes.
    private static let bytesInTag = 1 << 20

    private let parser: OpaquePointer
    private let root: String
    private let limits: CalDAVLimits
    /// The open elements, without the root.
    private var open: [XMLElement] = []
    private var isInRoot = false
    private var children: [XMLElement] = []
    private var (childCount, elementCount, byteCount) = (0, 0, 0)
    private var problem: ReplyProblem?

    /// Creates a reader of a document whose root has a name.
    ///
    /// - Throws: ``ReplyProblem`` if there is no memory for a parser.
    init(root: String, limits: CalDAVLimits) throws(ReplyProblem) {
        guard let parser = XML_ParserCreateNS(nil, XML_Char(XMLName.separator)) else {
            throw ReplyProblem(reason: .limitExceeded("there is no memory for an XML parser"), element: root)
        }
        self.parser = parser
        self.root = root
        self.limits = limits
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in XMLReader.of(data)?.start(name, attributes) },
            { data, _ in XMLReader.of(data)?.end() }
        )
        XML_SetCharacterDataHandler(parser) { data, text, length in XMLReader.of(data)?.append(text, Int(length)) }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            XMLReader.of(data)?.stop(.malformed("it has a document type", "DOCTYPE"))
        }
    }

    deinit { XML_ParserFree(parser) }

    /// The innermost open element.
    var element: String? { open.last?.name ?? (isInRoot ? root : nil) }

    /// Reads the next bytes.
    /// - Returns: the children of the root that are now complete.
    func read(_ data: Data) throws(ReplyProblem) -> [XMLElement] {
        byteCount += data.count
        guard byteCount <= limits.replyBytes else {
            throw ReplyProblem(
                reason: .limitExceeded("the reply is longer than \(limits.replyBytes) bytes"),
                element: element
            )
        }
        try parse(data, isLast: false)
        // expat scans the beginning of an incomplete tag again with each piece.
        guard byteCount - max(XML_GetCurrentByteIndex(parser), 0) <= XMLReader.bytesInTag else {
            throw ReplyProblem(
                reason: .limitExceeded("a tag is longer than \(XMLReader.bytesInTag) bytes"),
                element: element ?? root
            )
        }
        return takeChildren()
    }

    /// Checks that the document is complete.
    ///
    /// expat 2.6 defers the end of a tag that arrives in small pieces, up to the end of the document.
    /// - Returns: the children of the root that were not yet returned.
    func finish() throws(ReplyProblem) -> [XMLElement] {
        try parse(Data(), isLast: true)
        return takeChildren()
    }

    private func takeChildren() -> [XMLElement] {
        defer { children = [] }
        return children
    }

    private func parse(_ data: Data, isLast: Bool) throws(ReplyProblem) {
        let status = data.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), isLast ? 1 : 0)
        }
        if let problem { throw problem }
        guard status != XML_STATUS_OK else { return }
        let message = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "an error"
        let line = XML_GetCurrentLineNumber(parser)
        throw .malformed("the XML is malformed in line \(line): \(message)", element ?? root)
    }

    // MARK: - Called by expat

    private static func of(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
        data.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ problem: ReplyProblem) {
        guard self.problem == nil else { return }
        self.problem = problem
        XML_StopParser(parser, 0)
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard problem == nil, let name else { return }
        var element = XMLElement(name: XMLName.short(name))
        guard isInRoot else {
            isInRoot = true
            if element.name != root { stop(.malformed("the root is \(element.name.quoted()) and not \(root)", root)) }
            return
        }
        var index = 0
        while let key = attributes?[index], let value = attributes?[index + 1] {
            element.attributes[XMLName.short(key)] = String(cString: value)
            index += 2
        }
        if open.isEmpty { (childCount, elementCount) = (childCount + 1, 0) }
        elementCount += 1
        open.append(element)
        let limit: String? =
            open.count >= limits.depth
            ? "elements are nested more than \(limits.depth) deep"
            : childCount > limits.members
                ? "the reply has more than \(limits.members) parts"
                : elementCount > XMLReader.elementsInChild
                    ? "a part of the reply has more than \(XMLReader.elementsInChild) elements" : nil
        if let limit { stop(ReplyProblem(reason: .limitExceeded(limit), element: element.name)) }
    }

    private func end() {
        guard problem == nil, let element = open.popLast() else { return }
        if open.isEmpty { children.append(element) } else { open[open.count - 1].children.append(element) }
    }

    private func append(_ text: UnsafePointer<XML_Char>?, _ length: Int) {
        guard problem == nil, let text, !open.isEmpty else { return }
        text.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
            open[open.count - 1].text += String(
                decoding: UnsafeBufferPointer(start: bytes, count: length),
                as: UTF8.self
            )
        }
    }
}
