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
