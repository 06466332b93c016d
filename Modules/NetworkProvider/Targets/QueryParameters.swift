/// Names and values of a query or a form: ordered, a name may come several times.
///
/// ```swift
/// let query: QueryParameters = ["q": "강아지", "page": 2, "tag": ["small", "brown"]]   // tag=small&tag=brown
/// ```
public struct QueryParameters: Sendable, Hashable {
    /// How a list of values is written.
    public enum ListStyle: Sendable, Hashable {
        /// `tag=a&tag=b`
        case repeated
        /// `tag[]=a&tag[]=b`
        case brackets
        /// `tag=a,b`
        case commas
    }

    /// One name with its value.
    public struct Item: Sendable, Hashable {
        /// The name, unescaped.
        public var name: String
        /// The value, unescaped; nil for a name alone, without an equals sign.
        public var value: QueryValue?

        /// Creates an item.
        public init(name: String, value: QueryValue?) {
            self.name = name
            self.value = value
        }
    }

    /// The items in their order.
    public var items: [Item]
    /// How lists are written.
    public var listStyle: ListStyle

    /// No parameters.
    public init() { self.init([Item]()) }

    /// Creates parameters.
    public init(_ items: [Item], listStyle: ListStyle = .repeated) {
        self.items = items
        self.listStyle = listStyle
    }

    /// Creates parameters from a dictionary, ordered by name so that equal ones give equal URLs.
    public init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { Item(name: $0.key, value: .text($0.value)) })
    }

    /// Adds an item behind the others.
    public mutating func append(_ name: String, _ value: QueryValue?) {
        items.append(Item(name: name, value: value))
    }

    /// The names and values as text, lists taken apart.
    public var pairs: [(name: String, value: String?)] {
        items.flatMap { item -> [(name: String, value: String?)] in
            switch item.value {
            case nil: return [(item.name, nil)]
            case .text(let text): return [(item.name, text)]
            case .list(let values):
                switch listStyle {
                case .repeated: return values.map { (item.name, $0) }
                case .brackets: return values.map { (item.name + "[]", $0) }
                case .commas: return [(item.name, values.joined(separator: ","))]
                }
            }
        }
    }

    /// The parameters as a URL's query: everything but letters, digits and `-._~` is escaped, a space is `%20`.
    public var queryText: String { text { PercentEncoding.encode($0) } }

    /// The parameters as a form's body: as in a query, but a space is `+`.
    public var formText: String { text { PercentEncoding.encode($0, plusForSpace: true) } }

    private func text(_ encode: (String) -> String) -> String {
        pairs.map { name, value in value.map { encode(name) + "=" + encode($0) } ?? encode(name) }
            .joined(separator: "&")
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// The items of a literal, in their order.
    public init(dictionaryLiteral elements: (String, QueryValue?)...) {
        self.init(elements.map { Item(name: $0.0, value: $0.1) })
    }
}

/// The value of a parameter: one text, or a list of them.
public enum QueryValue: Sendable, Hashable {
    /// One value.
    case text(String)
    /// Several values, written by the parameters' list style.
    case list([String])

    /// A number, or anything else with a lossless text.
    public init(_ value: some LosslessStringConvertible) { self = .text(value.description) }

    /// A list of numbers, or of anything else with a lossless text.
    public init(_ values: some Sequence<some LosslessStringConvertible>) { self = .list(values.map(\.description)) }
}

extension QueryValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// An integer's digits.
    public init(integerLiteral value: Int) { self = .text("\(value)") }
    /// A number's shortest text.
    public init(floatLiteral value: Double) { self = .text("\(value)") }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .text("\(value)") }
    /// A list; elements that are lists themselves are laid flat.
    public init(arrayLiteral elements: QueryValue...) {
        self = .list(
            elements.flatMap { element in
                switch element {
                case .text(let text): [text]
                case .list(let list): list
                }
            }
        )
    }
}
