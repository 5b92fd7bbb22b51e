import ObjectMapping

/// A class with 70 properties of one type.
class Wide: CloudDataObject {
    var p0 = ""
    var p1 = ""
    var p2 = ""
    var p3 = ""
    var p4 = ""
    var p5 = ""
    var p6 = ""
    var p7 = ""
    var p8 = ""
    var p9 = ""
    var p10 = ""
    var p11 = ""
    var p12 = ""
    var p13 = ""
    var p14 = ""
    var p15 = ""
    var p16 = ""
    var p17 = ""
    var p18 = ""
    var p19 = ""
    var p20 = ""
    var p21 = ""
    var p22 = ""
    var p23 = ""
    var p24 = ""
    var p25 = ""
    var p26 = ""
    var p27 = ""
    var p28 = ""
    var p29 = ""
    var p30 = ""
    var p31 = ""
    var p32 = ""
    var p33 = ""
    var p34 = ""
    var p35 = ""
    var p36 = ""
    var p37 = ""
    var p38 = ""
    var p39 = ""
    var p40 = ""
    var p41 = ""
    var p42 = ""
    var p43 = ""
    var p44 = ""
    var p45 = ""
    var p46 = ""
    var p47 = ""
    var p48 = ""
    var p49 = ""
    var p50 = ""
    var p51 = ""
    var p52 = ""
    var p53 = ""
    var p54 = ""
    var p55 = ""
    var p56 = ""
    var p57 = ""
    var p58 = ""
    var p59 = ""
    var p60 = ""
    var p61 = ""
    var p62 = ""
    var p63 = ""
    var p64 = ""
    var p65 = ""
    var p66 = ""
    var p67 = ""
    var p68 = ""
    var p69 = ""

    static var keyPaths: [KeyPath<Wide, String>] {
        [
            \.p0, \.p1, \.p2, \.p3, \.p4, \.p5, \.p6,
            \.p7, \.p8, \.p9, \.p10, \.p11, \.p12, \.p13,
            \.p14, \.p15, \.p16, \.p17, \.p18, \.p19, \.p20,
            \.p21, \.p22, \.p23, \.p24, \.p25, \.p26, \.p27,
            \.p28, \.p29, \.p30, \.p31, \.p32, \.p33, \.p34,
            \.p35, \.p36, \.p37, \.p38, \.p39, \.p40, \.p41,
            \.p42, \.p43, \.p44, \.p45, \.p46, \.p47, \.p48,
            \.p49, \.p50, \.p51, \.p52, \.p53, \.p54, \.p55,
            \.p56, \.p57, \.p58, \.p59, \.p60, \.p61, \.p62,
            \.p63, \.p64, \.p65, \.p66, \.p67, \.p68, \.p69,
        ]
    }
}
