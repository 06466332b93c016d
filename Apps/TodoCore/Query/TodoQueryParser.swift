import AppLanguage
import TextEscaping

/// Parses a ``TodoQuery`` by recursive descent: `or` of `and` of `not` of terms.
struct TodoQueryParser {
    private struct Token {
        enum Kind: Equatable { case open, close, word }

        var kind: Kind
        /// The text without quotation marks.
        var text = ""
        /// The number of characters of the text before the first quotation mark, or `nil` without one.
        var plainCount: Int?
        /// The position in the query, in characters, counted from 1.
        var column: Int

        /// The operator; `nil` for other words and for quoted ones.
        var keyword: String? {
            guard kind == .word, plainCount == nil else { return nil }
            let word = text.lowercased()
            return ["and", "or", "not"].contains(word) ? word : nil
        }
    }

    /// The maximum depth of brackets.
    private static let depthLimit = 50
    /// The maximum length of a query in bytes.
    private static let lengthLimit = 10_000

    private let query: String
    private let today: Day
    private let time: TimeOfDay?
    private let zone: Zone
    private let firstWeekday: Int
    private var tokens: [Token] = []
    private var index = 0
    private var depth = 0

    init(_ query: String, today: Day, time: TimeOfDay?, zone: Zone, firstWeekday: Int) throws(TodoQueryError) {
        self.query = query.utf8.count > Self.lengthLimit ? String(query.prefix(100)) : query
        (self.today, self.time, self.zone, self.firstWeekday) = (today, time, zone, firstWeekday)
        guard query.utf8.count <= Self.lengthLimit else {
            throw error(
                1,
                "the query is longer than \(Self.lengthLimit) bytes; shorten it",
                ko: "검색식이 \(Self.lengthLimit)바이트를 넘습니다. 줄여 주세요"
            )
        }
        tokens = try Self.tokens(of: query)
    }

    mutating func parse() throws(TodoQueryError) -> TodoQuery.Node {
        guard !tokens.isEmpty else { return .all([]) }
        let node = try disjunction()
        if index < tokens.count { throw unopened(tokens[index].column) }
        return node
    }

    private func error(_ column: Int, _ message: String, ko: String) -> TodoQueryError {
        TodoQueryError(query: query.escapingControls(), column: column, text: LocalizedText(message, ko: ko))
    }

    private func unopened(_ column: Int) -> TodoQueryError {
        error(column, "there is no bracket that this one closes", ko: "짝이 되는 여는 괄호가 없습니다")
    }

    // MARK: Tokens

    /// Returns the words that every todo must match, with their case: those outside of brackets that are neither negated nor
    /// phrases. A query with an alternative has none, and an invalid one neither.
    static func requiredWords(of query: String) -> [String] {
        guard let tokens = try? tokens(of: query) else { return [] }
        var words: [String] = []
        var depth = 0
        var former: Token?
        for token in tokens {
            if token.kind == .close { depth -= 1 }
            if depth == 0, token.kind == .word {
                guard token.keyword != "or" else { return [] }
                let isTerm = token.keyword == nil && token.plainCount != 0
                if isTerm, former?.keyword != "not" { words.append(token.text) }
            }
            if token.kind == .open { depth += 1 }
            former = token
        }
        return words
    }

    private static func tokens(of query: String) throws(TodoQueryError) -> [Token] {
        func error(_ column: Int, _ message: String, ko: String) -> TodoQueryError {
            TodoQueryError(query: query.escapingControls(), column: column, text: LocalizedText(message, ko: ko))
        }
        var tokens: [Token] = []
        var word: Token?
        var quote: Int?
        for (offset, character) in query.enumerated() {
            let column = offset + 1
            if character.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" }) {
                throw error(
                    column,
                    "the query contains a control character; remove it",
                    ko: "검색식에 제어 문자가 있습니다. 지워 주세요"
                )
            }
            if quote != nil {
                if character == "\"" { quote = nil } else { word?.text.append(character) }
            } else if character == "\"" {
                if word == nil { word = Token(kind: .word, column: column) }
                if let token = word, token.plainCount == nil { word?.plainCount = token.text.count }
                quote = column
            } else if character.isWhitespace || character == "(" || character == ")" {
                if let done = word { tokens.append(done) }
                word = nil
                if character == "(" || character == ")" {
                    tokens.append(Token(kind: character == "(" ? .open : .close, column: column))
                }
            } else {
                if word == nil { word = Token(kind: .word, column: column) }
                word?.text.append(character)
            }
        }
        if let quote {
            throw error(
                quote,
                "the quotation mark is not closed; add another one at the end of the phrase",
                ko: "따옴표가 닫히지 않았습니다. 구절 끝에도 붙여 주세요"
            )
        }
        if let done = word { tokens.append(done) }
        return tokens
    }

    // MARK: Operators

    private mutating func disjunction() throws(TodoQueryError) -> TodoQuery.Node {
        var parts = [try conjunction()]
        while index < tokens.count, tokens[index].keyword == "or" {
            index += 1
            parts.append(try conjunction())
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(TodoQueryError) -> TodoQuery.Node {
        var parts = [try negation()]
        while index < tokens.count, tokens[index].kind != .close, tokens[index].keyword != "or" {
            if tokens[index].keyword == "and" { index += 1 }
            parts.append(try negation())
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func negation() throws(TodoQueryError) -> TodoQuery.Node {
        guard index < tokens.count else {
            let word = tokens.last?.keyword ?? "("
            throw error(
                tokens.last?.column ?? 1,
                "a term must follow \(word.quoted())",
                ko: "\(word.quoted()) 뒤에 조건이 없습니다"
            )
        }
        let token = tokens[index]
        guard depth < Self.depthLimit else {
            throw error(token.column, "the brackets are nested too deeply", ko: "괄호가 너무 여러 겹입니다")
        }
        switch (token.kind, token.keyword) {
        case (_, "not"):
            index += 1
            depth += 1
            defer { depth -= 1 }
            return .not(try negation())
        case (_, let keyword?):
            throw error(
                token.column,
                "a term must come before and after \(keyword.quoted()); quote it to search for the word",
                ko: "\(keyword.quoted()) 앞뒤에 조건이 있어야 합니다. 이 단어를 찾으려면 따옴표로 묶으세요"
            )
        case (.close, _) where index == 0: throw unopened(token.column)
        case (.close, _): throw error(token.column, "a term is missing before )", ko: ") 앞에 조건이 없습니다")
        case (.open, _):
            index += 1
            depth += 1
            defer { depth -= 1 }
            let node = try disjunction()
            guard index < tokens.count, tokens[index].kind == .close else {
                throw error(token.column, "the bracket is not closed; add )", ko: "괄호가 닫히지 않았습니다. )를 붙이세요")
            }
            index += 1
            return node
        default:
            index += 1
            let reader = TodoQueryField(today: today, time: time, zone: zone, firstWeekday: firstWeekday) { [self] in
                error(token.column + $0, $1.english, ko: $1.korean)
            }
            return try reader.term(token.text, plainCount: token.plainCount)
        }
    }
}
