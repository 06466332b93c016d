import Foundation

/// Validates JSON documents by the part of JSON Schema that the schemas of this repository use. An unknown keyword is an
/// error, so that none is silently ignored.
struct JSONSchema {
    private let root: [String: Any]

    private static let keywords: Set<String> = [
        "$schema", "$defs", "$ref", "title", "description", "type", "required", "additionalProperties", "properties",
        "items", "uniqueItems", "enum", "minimum", "maximum", "minLength", "format",
    ]

    init(file: URL) throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        root = object as? [String: Any] ?? [:]
    }

    /// Returns what is wrong with a document, with the path of each error; none if it is valid.
    func errors(in data: Data) throws -> [String] {
        check(try JSONSerialization.jsonObject(with: data), root, "$")
    }

    private func check(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        var errors = schema.keys.filter { !Self.keywords.contains($0) }.map { "\(path): unknown keyword \($0)" }
        if let reference = schema["$ref"] as? String {
            let name = reference.replacing("#/$defs/", with: "")
            guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                return ["\(path): \(reference) does not exist"]
            }
            return errors + check(value, target, path)
        }
        if let type = schema["type"] as? String, !Self.matches(value, type) { return ["\(path): is not a \(type)"] }
        if let values = schema["enum"] as? [String], !values.contains(value as? String ?? "\0") {
            errors.append("\(path): \(value) is not one of \(values)")
        }
        if let text = value as? String {
            if let minimum = schema["minLength"] as? Int, text.count < minimum {
                errors.append("\(path): is too short")
            }
            if let format = schema["format"] as? String, !Self.matches(text, format: format) {
                errors.append("\(path): \(text) is not a \(format)")
            }
        }
        if let number = value as? Double {
            if let minimum = schema["minimum"] as? Double, number < minimum {
                errors.append("\(path): \(number) is low")
            }
            if let maximum = schema["maximum"] as? Double, number > maximum {
                errors.append("\(path): \(number) is high")
            }
        }
        if let list = value as? [Any] {
            if schema["uniqueItems"] as? Bool == true, Set(list.map { "\($0)" }).count < list.count {
                errors.append("\(path): has equal items")
            }
            for (index, item) in list.enumerated() {
                if let items = schema["items"] as? [String: Any] { errors += check(item, items, "\(path)[\(index)]") }
            }
        }
        if let object = value as? [String: Any] {
            for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                errors.append("\(path): \(name) is missing")
            }
            let properties = schema["properties"] as? [String: Any] ?? [:]
            for (name, member) in object {
                if let property = properties[name] as? [String: Any] {
                    errors += check(member, property, "\(path).\(name)")
                } else if let others = schema["additionalProperties"] as? [String: Any] {
                    errors += check(member, others, "\(path).\(name)")
                } else if schema["additionalProperties"] as? Bool == false {
                    errors.append("\(path): \(name) is not a known member")
                }
            }
        }
        return errors
    }

    private static func matches(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": isBoolean(value)
        case "integer": !isBoolean(value) && (value as? Double).map { $0 == $0.rounded() } ?? false
        case "number": !isBoolean(value) && value is Double
        default: false
        }
    }

    /// Whether a text has a format of JSON Schema; an unknown format is never matched.
    private static func matches(_ text: String, format: String) -> Bool {
        // The characters of RFC 3986; a percent sign begins two hexadecimal digits.
        let characters = /(?:[A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*/
        guard text.wholeMatch(of: characters) != nil else { return false }
        return switch format {
        case "uri": URL(string: text)?.scheme != nil
        case "uri-reference": URL(string: text) != nil || text.isEmpty
        default: false
        }
    }

    /// Foundation has one class for numbers and for `true` and `false`.
    private static func isBoolean(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
    }
}
