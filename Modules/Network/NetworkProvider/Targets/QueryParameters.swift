import TextEscaping

/// Names and values of a query or a form, in their order; a name may occur several times.
///
/// The values of a literal may have any `Encodable` type:
///
/// ```swift
/// let tags = ["small", "brown"]
/// let query: QueryParameters = ["q": "강아지", "page": 2, "tag": tags]   // ...&tag=small&tag=brown
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

    /// A name with its value.
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
    /// The first error of encoding a literal's values; it is thrown by the target that uses the parameters.
    private(set) var encodingFailure: FormEncodingFailure?

    /// Creates empty parameters.
    public init() { self.init([Item]()) }

    /// Creates parameters from items.
    public init(_ items: [Item], listStyle: ListStyle = .repeated) {
        self.items = items
        self.listStyle = listStyle
    }

    /// Creates parameters from a dictionary, sorted by name, so that equal dictionaries produce equal URLs.
    public init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { Item(name: $0.key, value: .text($0.value)) })
    }

    /// Creates parameters from the properties of a value, in the order in which it encodes them.
    ///
    /// A nested object becomes `name[property]`, an array of objects `name[0][property]`. Dates are written in ISO 8601,
    /// data in Base64, dictionaries and sets sorted. A nil property is left out.
    /// - Throws: the error of the value's `encode(to:)`, or an error for a value that has no properties.
    public init(encoding value: any Encodable, listStyle: ListStyle = .repeated) throws {
        self.init(try FormEncoder.items(of: value), listStyle: listStyle)
    }

    /// Adds an item at the end.
    public mutating func append(_ name: String, _ value: QueryValue?) {
        items.append(Item(name: name, value: value))
    }

    /// The names and values as text, a pair for each element of a list.
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

    /// The text of a URL's query: everything but letters, digits and `-._~` is escaped, a space is `%20`.
    public var queryText: String { text { PercentEncoding.encode($0) } }

    /// The text of a form's body: as in a query, but a space is `+`.
    public var formText: String { text { PercentEncoding.encode($0, plusForSpace: true) } }

    private func text(_ encode: (String) -> String) -> String {
        pairs.map { name, value in value.map { encode(name) + "=" + encode($0) } ?? encode(name) }
            .joined(separator: "&")
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a literal, in its order. A nil value is a name alone.
    ///
    /// A value that cannot be encoded makes the request of the target that uses the parameters fail.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init([Item]())
        for (name, value) in elements {
            do {
                items += try value.map { try FormEncoder.items(of: $0, named: name) } ?? [Item(name: name, value: nil)]
            } catch {
                encodingFailure = encodingFailure ?? FormEncodingFailure(name: name, reason: NetworkError.text(error))
            }
        }
    }
}

/// The value of a parameter: a text, or a list of texts.
public enum QueryValue: Sendable, Hashable {
    /// One value.
    case text(String)
    /// Several values, written by the list style of the parameters.
    case list([String])

    /// Creates a value from a number, or anything else with a lossless description.
    public init(_ value: some LosslessStringConvertible) { self = .text(value.description) }

    /// Creates a list from numbers, or anything else with a lossless description.
    public init(_ values: some Sequence<some LosslessStringConvertible>) { self = .list(values.map(\.description)) }
}

extension QueryValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, Encodable
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates the text of an integer.
    public init(integerLiteral value: Int) { self = .text("\(value)") }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .text("\(value)") }
    /// Creates a list.
    public init(arrayLiteral elements: String...) { self = .list(elements) }

    /// Encodes the text, or the list of texts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let texts): try container.encode(texts)
        }
    }
}
