/// The passwords that the server refuses for new accounts because they are tried first: the most frequent ones of leaked
/// collections, and words of this app.
///
/// NIST SP 800-63B, section 3.1.1.2, requires a comparison with such a list; OWASP ASVS 5.0, 6.2.4, with at least 3,000
/// entries that match the rule for passwords.
enum CommonPasswords {
    /// Returns whether a password in lower case is a common one.
    static func contains(_ password: String) -> Bool { list.contains(password[...]) }

    /// All passwords, in no order.
    static var all: [String] { list.map { String($0) } }

    private static let list: Set<Substring> = Set((frequent + "\n" + own).split { $0.isWhitespace })

    /// Words of this app, and Korean words as they are typed on a Latin keyboard.
    private static let own = """
        pawkit pawkit1 pawkit123 doglover dogs123 puppy123 puppies catlover cats123 kitten kitten1 kitty123 kittycat
        gkskfl dkssud dkssud1 rlarldud tkfkdgo tkfkdgo1 skdisk wkdrns gksrnr korea123 korea2002 seoul123 hangul
        qlalfqjsgh rkskekfk akdlvlt dkssudgktpdy eogksalsrnr tkfkdgody rhdiddl rkddkwl wpfflqhf
        password12 password123 p@ssw0rd p@ssword q1w2e3r4 1q2w3e4r passwort motdepasse contrasena pa55word 1password
        admin123 root123 test1234 guest123 user123 login123 changeme default welcome123 summer2024 winter2024
        """
}
