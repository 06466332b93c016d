import TextEscaping

/// Host names with characters beyond ASCII, in the form in which they are looked up, sent and compared (RFC 5890).
package enum HostName {
    /// Returns a host in lower case with its non-ASCII labels in Punycode, such as `xn--55qx5d.cn` for `公司.cn`.
    ///
    /// Foundation without its internationalisation percent-encodes such a host instead, which no library resolves.
    /// - Parameter host: the host, raw or percent-encoded.
    /// - Returns: nil for a host of ASCII characters alone, and for one that is not a name.
    package static func ascii(_ host: some Collection<UInt8>) -> String? {
        guard host.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }),
            let raw = String(validating: host, as: UTF8.self)
        else { return nil }
        let text = PercentEncoding.decode(raw)
        // An escape that is no UTF-8 is decoded as U+FFFD, which is in no name.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }), !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        // Composed first and last: one character may be written in several ways, and so may its lower case.
        let name = String(String.UnicodeScalarView(text.composed.lowercased().composed.unicodeScalars.map(plainDot)))
        let labels = name.split(separator: ".", omittingEmptySubsequences: false).map {
            label(Array($0.unicodeScalars))
        }
        return labels.contains(nil) ? nil : labels.compactMap { $0 }.joined(separator: ".")
    }

    /// Returns a full stop for the ideographic ones, which separate labels as well (UTS #46).
    private static func plainDot(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ["\u{3002}", "\u{ff0e}", "\u{ff61}"].contains(scalar) ? "." : scalar
    }

    /// Returns a label, in Punycode if needed; nil for one that no name can have.
    private static func label(_ scalars: [Unicode.Scalar]) -> String? {
        let plain = scalars.filter(\.isASCII)
        let isName = plain.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || ["-", "_", "*"].contains(scalar)
        }
        // The limit of the name system. No label with more characters has a form with fewer bytes.
        guard isName, scalars.count <= 63 else { return nil }
        guard plain.count < scalars.count else { return String(String.UnicodeScalarView(scalars)) }
        let encoded = "xn--" + punycode(scalars, plain)
        return encoded.utf8.count <= 63 ? encoded : nil
    }

    /// Encodes a label by the algorithm of RFC 3492, section 6.3, with the parameters of section 5.
    private static func punycode(_ scalars: [Unicode.Scalar], _ plain: [Unicode.Scalar]) -> String {
        let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var encoded = String(String.UnicodeScalarView(plain)) + (plain.isEmpty ? "" : "-")
        var (next, delta, bias, done) = (128, 0, 72, plain.count)
        while let least = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= next }).min() {
            delta += (least - next) * (done + 1)
            next = least
            for scalar in scalars {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                var (rest, place) = (delta, 36)
                while true {
                    let threshold = min(max(place - bias, 1), 26)
                    guard rest >= threshold else { break }
                    encoded.append(digits[threshold + (rest - threshold) % (36 - threshold)])
                    rest = (rest - threshold) / (36 - threshold)
                    place += 36
                }
                encoded.append(digits[rest])
                // The bias adapts to the distance of the characters (section 6.1).
                var step = delta / (done == plain.count ? 700 : 2)
                step += step / (done + 1)
                bias = 0
                while step > 455 {
                    step /= 35
                    bias += 36
                }
                bias += 36 * step / (step + 38)
                delta = 0
                done += 1
            }
            delta += 1
            next += 1
        }
        return encoded
    }
}
