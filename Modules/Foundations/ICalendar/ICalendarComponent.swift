/// A component of iCalendar (RFC 5545), such as a VTODO, with its properties and the components in it.
///
/// The text of everything that is not changed is preserved byte for byte: the case of names, folds, line ends, the order, and
/// lines that are no properties. Only properties that are set are written anew.
package struct ICalendarComponent: Sendable {
    /// A part of a component.
    package enum Item: Sendable {
        case property(ICalendarProperty)
        case component(ICalendarComponent)
        /// Bytes that are neither: blank lines and malformed ones.
        case other(ArraySlice<UInt8>)
    }

    /// The name in upper case; empty for the root of a document.
    package let name: String
    /// Whether it is the root of a document, which has neither BEGIN nor END.
    private let isRoot: Bool
    /// The parts, in the order of the text.
    package internal(set) var items: [Item]
    /// The number of the line of its BEGIN, counted from 1.
    package let line: Int
    /// The lines of its BEGIN and its END as they were read; `nil` for a new component.
    var begin: ArraySlice<UInt8>?
    var end: ArraySlice<UInt8>?

    /// Creates a component without a source.
    package init(_ name: String, properties: [ICalendarProperty] = [], components: [ICalendarComponent] = []) {
        self.name = name.uppercased()
        isRoot = false
        items = properties.map(Item.property) + components.map(Item.component)
        line = 1
    }

    init(_ name: String, begin: ArraySlice<UInt8>, line: Int) {
        (self.name, self.begin, self.line, items, isRoot) = (name, begin, line, [], false)
    }

    /// Creates the root of a document.
    init() { (name, line, items, isRoot) = ("", 1, [], true) }

    // MARK: Reading

    /// The properties of the component itself, in the order of the text.
    package var properties: some Sequence<ICalendarProperty> {
        items.lazy.compactMap { if case .property(let property) = $0 { property } else { nil } }
    }

    /// The components in it, in the order of the text.
    package var components: some Sequence<ICalendarComponent> {
        items.lazy.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// Returns the first property of a name in upper case.
    package func property(_ name: String) -> ICalendarProperty? { properties.first { $0.name == name } }

    /// Returns the properties of a name in upper case.
    package func properties(_ name: String) -> [ICalendarProperty] { properties.filter { $0.name == name } }

    /// Returns the components of a name in upper case, at any depth, in the order of the text.
    package func descendants(_ name: String) -> [ICalendarComponent] {
        components.flatMap { ($0.name == name ? [$0] : []) + $0.descendants(name) }
    }

    /// Whether it has an END, as all but the components of a text that is cut short have.
    package var isClosed: Bool { end?.isEmpty != true }

    /// The component as if it were new: all of its lines are written anew, folded and with the line end of a new text.
    package var withoutSource: ICalendarComponent {
        var copy = ICalendarComponent(name)
        copy.items = items.compactMap { item in
            switch item {
            case .property(let property): .property(property.withoutSource)
            case .component(let component): .component(component.withoutSource)
            case .other: nil
            }
        }
        return copy
    }

    // MARK: Changing

    /// Replaces the properties of a name by others: each in the place of an old one, further ones after the last property.
    /// A new property that equals the old one in its place does not change its text.
    package mutating func set(_ name: String, _ properties: [ICalendarProperty]) {
        var rest = properties[...]
        items = items.compactMap { item in
            guard case .property(let old) = item, old.name == name else { return item }
            guard let new = rest.popFirst() else { return nil }
            return old.isEquivalent(to: new) ? item : .property(new)
        }
        let place = items.lastIndex { if case .property = $0 { true } else { false } }.map { $0 + 1 }
        items.insert(contentsOf: rest.map(Item.property), at: place ?? items.startIndex)
    }

    /// Replaces the properties of a name by one; `nil` removes them.
    package mutating func set(_ name: String, _ property: ICalendarProperty?) { set(name, property.map { [$0] } ?? []) }

    /// Removes the components in this one that satisfy a condition.
    package mutating func removeComponents(where isRemoved: (ICalendarComponent) -> Bool) {
        items.removeAll { if case .component(let component) = $0 { isRemoved(component) } else { false } }
    }

    /// Calls `body` with each component in this one, which may change it.
    package mutating func forEachComponent(_ body: (inout ICalendarComponent) -> Void) {
        for index in items.indices {
            guard case .component(var component) = items[index] else { continue }
            body(&component)
            items[index] = .component(component)
        }
    }

    // MARK: Writing

    /// The text. New lines are folded and have the line end of the component around them, CRLF by default.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output, lineEnd: "\r\n")
        return output
    }

    /// The text as a string; invalid UTF-8 in lines of the source is replaced by U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    private func write(to output: inout [UInt8], lineEnd: String) {
        let end = begin.map { $0.suffix(2) == [0x0D, 0x0A] ? "\r\n" : "\n" } ?? lineEnd
        func add(_ source: ArraySlice<UInt8>?, _ line: @autoclosure () -> String) {
            // A text that is cut short has no END.
            if source?.isEmpty == true { return }
            // The last line of a source may have no line end.
            if let last = output.last, last != 0x0A { output += end.utf8 }
            if let source { output += source } else { output += ICalendarText.folded(line(), lineEnd: end).utf8 }
        }
        if !isRoot { add(begin, "BEGIN:" + name) }
        for item in items {
            switch item {
            case .property(let property): add(property.source, property.text)
            case .component(let component): component.write(to: &output, lineEnd: end)
            case .other(let bytes): output += bytes
            }
        }
        if !isRoot { add(self.end, "END:" + name) }
    }
}
