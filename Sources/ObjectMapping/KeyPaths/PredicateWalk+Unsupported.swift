import CloudRecords

extension PredicateWalk {
    /// The error of an expression that a store can't look for.
    func unsupported(_ expression: Any) -> CloudError {
        let type = String(describing: type(of: expression)).prefix { $0 != "<" }
        return CloudError(
            .unsupported,
            "A #Predicate with \(Self.words(for: String(type))) can't be looked for in a store.",
            remedy: "Compare properties with values, or filter the results yourself."
        )
    }

    /// What a kind of expression is, as its author wrote it.
    private static func words(for type: String) -> String {
        switch type {
        case "Arithmetic": "arithmetic (+, - or *)"
        case "UnaryMinus": "a minus sign before a property"
        case "IntDivision", "FloatDivision": "a division (/)"
        case "IntRemainder": "a remainder (%)"
        case "ForcedUnwrap": "a forced unwrap (!)"
        case "ForceCast": "a cast (as!)"
        case "ConditionalCast": "a cast (as?)"
        case "TypeCheck": "a type check (is)"
        case "SequenceContainsWhere": "contains(where:)"
        case "SequenceAllSatisfy": "allSatisfy(_:)"
        case "SequenceMaximum": "max()"
        case "SequenceMinimum": "min()"
        case "Filter": "filter(_:)"
        case "StringCaseInsensitiveCompare": "caseInsensitiveCompare(_:)"
        case "StringLocalizedCompare": "localizedCompare(_:)"
        case "StringLocalizedStandardContains": "localizedStandardContains(_:)"
        case "StringContainsRegex", "PredicateRegex": "a regular expression"
        case "CollectionIndexSubscript", "CollectionRangeSubscript": "an index into a list or text"
        case "DictionaryKeySubscript", "DictionaryKeyDefaultValueSubscript": "a key of a dictionary"
        case "PredicateEvaluate", "ExpressionEvaluate": "another predicate or expression inside"
        case "Conditional": "a choice (? :) between values"
        case "NilCoalesce": "?? between other things than a property and a constant"
        case "OptionalFlatMap": "optional chaining (?.) from something that is no property"
        case "Range", "ClosedRange", "RangeExpressionContains": "a range that is no constant"
        case "SequenceContains", "CollectionContainsCollection": "contains(_:) of something that is no constant"
        case "SequenceStartsWith": "starts(with:) of something that is no constant"
        case "KeyPath": "a property of something that is not the object"
        case "Variable": "the object itself in the place of a property"
        case "Value", "NilLiteral": "a constant in the place of a property"
        default: "the expression \(type)"
        }
    }
}
