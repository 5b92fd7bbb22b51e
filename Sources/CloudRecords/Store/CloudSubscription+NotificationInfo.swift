extension CloudSubscription {
    /// What the notifications of a subscription show to the user and carry to the app.
    ///
    /// Names and meanings are those of CloudKit's `CKSubscription.NotificationInfo`. As first made, nothing is shown.
    public struct NotificationInfo: Sendable, Hashable, Codable {
        /// The text of the alert.
        public var alertBody: String?
        /// The key of the alert's text in the app's translations.
        public var alertLocalizationKey: String?
        /// The fields whose values stand in the translated text, in their order.
        public var alertLocalizationArgs: [String]?
        /// The alert's title.
        public var title: String?
        /// The key of the title in the app's translations.
        public var titleLocalizationKey: String?
        /// The fields whose values stand in the translated title.
        public var titleLocalizationArgs: [String]?
        /// The alert's second title.
        public var subtitle: String?
        /// The key of the second title in the app's translations.
        public var subtitleLocalizationKey: String?
        /// The fields whose values stand in the translated second title.
        public var subtitleLocalizationArgs: [String]?
        /// The key of the action button's title in the app's translations.
        public var alertActionLocalizationKey: String?
        /// The image that the app shows when it is launched by the alert.
        public var alertLaunchImage: String?
        /// The file of the sound, "default" for the system's own.
        public var soundName: String?
        /// The fields whose values the notification carries: at most three, none of them bytes, a list or an asset.
        public var desiredKeys: [String]?
        /// Whether each notification counts the client's badge up by one.
        public var shouldBadge = false
        /// Whether the notification wakes the app.
        public var shouldSendContentAvailable = false
        /// Whether an extension of the app may change the notification before it is shown.
        public var shouldSendMutableContent = false
        /// The category, which says what actions an alert offers.
        public var category: String?
        /// Notifications with the same ID take each other's place on the screen.
        public var collapseIDKey: String?

        /// Makes what shows nothing.
        public init() {}
    }
}
