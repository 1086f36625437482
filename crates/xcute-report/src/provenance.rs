//! Where a report comes from.

/// What was typed, with which xcute, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The command line.
    pub command: String,
    /// The command that goes on with the campaign.
    pub go_on: String,
    /// The command that explains a line of the source, without that line.
    pub explain: String,
    /// The version of xcute.
    pub version: String,
    /// The day and time of the end, in UTC.
    pub date: String,
    /// The file of the profile, seen from the page, where there is one.
    pub profile: Option<String>,
}
