extension CloudPredicate {
    /// Makes a predicate from a format whose specifiers stand for the arguments.
    ///
    /// ```swift
    /// let predicate = try CloudPredicate(format: "%K == %@ AND likes > %d", "from", me, 3)
    /// ```
    ///
    /// `%@` takes any value, nil included; `%K` the name of a field; `%d`, `%i`, `%u`, `%ld`, `%lu` and `%lld` an
    /// integer; `%f` a double or an integer. Arguments are bound: nothing in them is ever read as part of the format.
    /// A specifier inside quotes is an error, and `%%` there is a percent sign. An enum can be an argument when it
    /// conforms to ``CloudValueConvertible``, which takes no more than `extension Kind: CloudValueConvertible {}`.
    ///
    /// In any case of letters, with spaces where they please, a predicate is one of:
    ///
    /// | form | what it matches |
    /// |---|---|
    /// | `TRUEPREDICATE`, `FALSEPREDICATE` | every record, none |
    /// | `likes > 3`, `3 < likes` | a comparison by `=` `==` `!=` `<>` `<` `<=` `=<` `>` `>=` `=>` |
    /// | `likes == nil`, `likes != NULL` | fields without a value, with one |
    /// | `likes BETWEEN {1, 5}` | a range with both its ends |
    /// | `kind IN {'text', 'picture'}`, `kind IN %@`, `tags IN {{'a', 'b'}, {}}` | one of several values, which may be lists |
    /// | `text BEGINSWITH 'He'`, `text ENDSWITH 'lo'` | text that starts or ends so |
    /// | `text LIKE 'H*o?'` | text of a pattern, in which `*` is any text and `?` one Unicode scalar |
    /// | `tags CONTAINS 'new'`, `'new' IN tags` | a list with such an element; in a text field a part of the text |
    /// | `text ==[c] 'he'`, `text LIKE[cd] 'he*'` | the same regardless of case, diacritics or both |
    /// | `ANY tags == 'new'`, `SOME tags LIKE 'a*'` | a list with an element that matches |
    /// | `ALL marks > 3`, `NONE marks BETWEEN {1, 3}` | a list of which all elements match, or none |
    /// | `ANY {1, 5} == likes`, `ANY {'a', 'b'} IN tags` | one of several values; a list with one of several values |
    /// | `self CONTAINS 'some words'`, `allTokens TOKENMATCHES[cdl] 'some words'` | all words occur, each in some text field; lists of text are not searched |
    /// | `distanceToLocation:fromLocation:(place, %@) < 5000` | a location nearer than so many metres; `<=` includes the very distance |
    /// | `NOT a`, `!a`, `a AND b`, `a && b`, `a OR b`, `a \|\| b`, `(a)` | the usual logic; NOT binds closest, then AND |
    ///
    /// Values are numbers (`-1`, `2.5`, `1e3`), text in single or double quotes with the escapes
    /// `\\ \' \" \n \r \t \u{…}`, `TRUE` and `YES` for 1, `FALSE` and `NO` for 0, and `nil`, `NIL` or `NULL`. Other
    /// values are arguments, or spelled by a CAST; a date is never plain text:
    ///
    /// | form | value |
    /// |---|---|
    /// | `CAST(700000000.5, 'NSDate')` | a date, by the seconds since the start of 2001 |
    /// | `CAST('AQID', 'BYTES')` | bytes, by their base64 text |
    /// | `CAST('52.1,4.3', 'LOCATION')` | a location, by latitude and longitude in degrees |
    /// | `CAST('52.1,4.3,0.0,5.0,-1.0,-1.0,-1.0', 'LOCATION')` | the same with altitude, horizontal and vertical accuracy, course and speed, and after these perhaps the time as in a date |
    /// | `CAST('m1', 'REFERENCE')` | a reference to a record of the default zone |
    /// | `CAST({'m1', 'notes'}, 'REFERENCE')`, `CAST({'m1', 'notes', '_owner'}, 'REFERENCE')` | one to a record of another zone, perhaps another user's |
    /// | `CAST('m1', 'REFERENCE_DELETE_SELF')` | a reference with the action ``CloudReference/Action/deleteSelf`` |
    ///
    /// The modifiers `[c]`, `[d]`, `[cd]` and `[dc]` follow any operator but IN and BETWEEN; no index helps a comparison
    /// that has one, see ``TextOptions``. ANY, SOME, ALL and NONE
    /// precede any comparison of a list field. For an empty list ANY is false, ALL and NONE are true.
    ///
    /// In a pattern a backslash makes an ordinary character of what follows. Arguments after LIKE are patterns too, so
    /// text from outside needs one before its `*`, `?` and `\`. In quotes it is written twice, since quotes have escapes
    /// of their own: `LIKE '100\\*'` matches the text `100*`.
    ///
    /// A field whose name is one of the words with a meaning is written with a `#` before it: `#in == 1`.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/invalidArguments`` that has the position in the format
    ///   (in characters from 0) and what was expected there. The code is ``CloudError/Code/unsupported`` for a
    ///   construct of `NSPredicate` that is not in the table, and for an order of arguments that are kept as text and
    ///   sort otherwise: `Decimal` and enums over `String`.
    /// - Complexity: O(*n*) in the length of the format. Parentheses, braces and NOT nest at most 100 levels deep.
    public init(format: String, _ arguments: (any CloudValueConvertible)?...) throws {
        try self.init(format: format, argumentArray: arguments)
    }

    /// Makes a predicate from a format whose specifiers stand for the elements of an array.
    ///
    /// - Throws: The same as ``init(format:_:)``.
    /// - Complexity: O(*n*) in the length of the format.
    public init(format: String, argumentArray: [(any CloudValueConvertible)?]) throws {
        self.init(try PredicateParser.parse(PredicateSource(format, arguments: .listed(argumentArray))))
    }
}
