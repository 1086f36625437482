//! The part that observers of tests share.

/// The methods of an [`xcute_engine::Observer`] that believes every failure, has no clock and never says stop.
macro_rules! believing {
    () => {
        fn elapsed(&self) -> std::time::Duration {
            std::time::Duration::ZERO
        }

        fn stop(&self) -> bool {
            false
        }

        fn confirm(&self, _: &xcute_term::Terms, _: &xcute_trace::Failure, _: &xcute_trace::TestCase) -> xcute_engine::Confirmation {
            xcute_engine::Confirmation::Confirmed
        }
    };
}
