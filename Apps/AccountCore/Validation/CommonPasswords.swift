/// The common passwords that have the length of a password of this app; the server refuses them for new accounts.
enum CommonPasswords {
    /// Returns whether a password in lower case is a common one.
    static func contains(_ password: String) -> Bool { list.contains(password[...]) }

    private static let list: Set<Substring> = Set(text.split { $0.isWhitespace })

    private static let text = """
        password password1 password12 password123 passw0rd p@ssw0rd p@ssword qwerty qwerty1 qwerty12 qwerty123 qwertyuiop
        qwertyui qwer1234 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx qazwsxedc zaq12wsx zxcvbn zxcvbnm
        zxcvbnm123 asdfgh asdfghjkl asdfasdf asdf1234 asd123 abc123 abcd1234 abc12345 a123456 a1234567 a12345678 a123456789
        aa123456 aaa111 123qwe 123qweasd 123123 123123123 121212 112233 111222 123321 1234qwer 12341234 123abc 123456a
        123456q 123456aa 12345a 102030 101010 131313 147258 147258369 159357 159753 202020 212121 232323 246810 252525
        654321 666666 696969 741852963 789456 789456123 987654321 0987654321 1234567890 12345678910 iloveyou iloveyou1
        ilovey0u loveyou lovely lover1 sunshine princess princess1 football football1 baseball baseball1 basketball soccer
        monkey dragon master shadow michael jordan23 superman batman spiderman pokemon naruto letmein welcome welcome1
        welcome123 admin1 admin123 administrator root123 toor1234 test123 test1234 testtest guest123 user123 login123
        secret secret1 changeme default computer internet samsung google facebook starwars whatever trustno1 hello123
        hello1 hunter hunter2 killer freedom flower cookie chocolate cheese banana orange purple silver ginger pepper
        summer winter spring autumn summer2024 winter2024 january february august november december monday friday sunday
        charlie thomas robert daniel andrew joshua matthew jessica ashley nicole hannah jennifer michelle amanda anthony
        matrix mustang ferrari porsche mercedes corvette yamaha harley ranger phoenix thunder tigger maggie buster bailey
        snoopy pepper1 diamond golden crystal angel1 angels heaven jesus1 jesuschrist blessed maria123         access master1 dragon1 monkey1 killer1 shadow1 donald hello12 zinch photoshop
        picture1 senha123 million2 qqww1122 omgpop unknown livetest 55555555 88888888 99999999 77777777 11111111 22222222
        33333333 44444444 66666666 00000000 999999999 987654 1111111111 0123456789 01234567 0123456 1357924680 24681012
        1password pass1234 pass123 passpass passwort motdepasse contrasena p4ssw0rd pa55word mypassword newpassword
        pawkit pawkit1 pawkit123 doglover dogs123 puppy123 puppies catlover cats123 kitten kitten1 kitty123 kittycat
        qwe123 qweasd qweasdzxc zxcasdqwe asdzxc zaqwsx xsw2zaq1 1q2w3e4 2wsx3edc qaz123 wsxedc rfvtgb edcrfv yhnujm
        gkskfl dkssud dkssud1 rlarldud tkfkd tkfkdgo tkfkdgo1 skdisk wkdrns gksrnr korea123 korea2002 seoul123 hangul
        """
}
