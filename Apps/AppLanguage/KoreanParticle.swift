/// A Korean particle, whose form depends on the last sound of the word before it.
///
///     "\("할 일".with(.object)) 고르세요"       // 할 일을 고르세요
///     "\("메모".with(.object)) 고르세요"        // 메모를 고르세요
package enum KoreanParticle: Sendable {
    /// 은, 는: the topic.
    case topic
    /// 이, 가: the subject.
    case subject
    /// 을, 를: the object.
    case object
    /// 과, 와: and, with.
    case and
    /// 으로, 로: to, by.
    case direction

    /// The forms after a consonant and after a vowel, and both for a word whose last sound is unknown.
    private var forms: (consonant: String, vowel: String, both: String) {
        switch self {
        case .topic: ("은", "는", "은(는)")
        case .subject: ("이", "가", "이(가)")
        case .object: ("을", "를", "을(를)")
        case .and: ("과", "와", "와(과)")
        case .direction: ("으로", "로", "(으)로")
        }
    }

    /// Returns the form behind a text.
    fileprivate func form(after text: String) -> String {
        switch KoreanSound(endOf: text) {
        case .vowel: forms.vowel
        // 로 follows ㄹ, too: 서울로.
        case .rieul: self == .direction ? forms.vowel : forms.consonant
        case .consonant: forms.consonant
        case nil: forms.both
        }
    }
}

extension CustomStringConvertible {
    /// Returns the text with the form of a particle that belongs to it.
    package func with(_ particle: KoreanParticle) -> String { description + particle.form(after: description) }
}

/// The last sound of a text, as a particle distinguishes it.
private enum KoreanSound {
    case vowel, rieul, consonant

    /// Creates the sound of a text that ends with a syllable of Hangul, a Latin letter, which is read by its name, or a digit; `nil`
    /// for others. Quotation marks and other signs at its end have no sound.
    init?(endOf text: String) {
        guard let end = text.lastIndex(where: { $0.isLetter || $0.isNumber }), text[end].unicodeScalars.count == 1,
            let scalar = text[end].unicodeScalars.first
        else { return nil }
        switch scalar {
        case "가"..."힣":
            // Every vowel has 28 syllables: without a final consonant, and with one of 27, of which ㄹ is the eighth.
            switch (scalar.value - 0xAC00) % 28 {
            case 0: self = .vowel
            case 8: self = .rieul
            default: self = .consonant
            }
        // The end of a word such as enter, 엔터, is not the letter 알.
        case "r" where text[..<end].last?.isLowercase == true: self = .vowel
        // 엘, 알, 일, 칠, 팔.
        case "l", "L", "r", "R", "1", "7", "8": self = .rieul
        // 엠, 엔, 영, 삼, 육.
        case "m", "M", "n", "N", "0", "3", "6": self = .consonant
        case "a"..."z", "A"..."Z", "2", "4", "5", "9": self = .vowel
        default: return nil
        }
    }
}
