//! The operator's flags for the HelmReleases it makes.
//!
//! Source: `spec/package-rendering.md`, section 2.

use crate::model::duration::Duration;

/// What the flags `--helmrelease-…` set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OperatorSettings {
    /// `spec.interval`.
    pub(crate) interval: Duration,
    /// `retryInterval` of both strategies.
    pub(crate) retry_interval: Duration,
    /// `spec.install.timeout`.
    pub(crate) install_timeout: Duration,
    /// `spec.upgrade.timeout`.
    pub(crate) upgrade_timeout: Duration,
    /// `spec.maxHistory`; 0 keeps everything.
    pub(crate) max_history: u64,
}

impl Default for OperatorSettings {
    fn default() -> OperatorSettings {
        OperatorSettings {
            interval: Duration::seconds(300),
            retry_interval: Duration::seconds(30),
            install_timeout: Duration::seconds(600),
            upgrade_timeout: Duration::seconds(600),
            max_history: 5,
        }
    }
}

/// The installer's value, the operator's flag and the field, for each duration.
pub(crate) const DURATIONS: [(&str, &str); 4] = [
    ("helmReleaseInterval", "helmrelease-interval"),
    ("helmReleaseRetryInterval", "helmrelease-retry-interval"),
    ("helmReleaseInstallTimeout", "helmrelease-install-timeout"),
    ("helmReleaseUpgradeTimeout", "helmrelease-upgrade-timeout"),
];

/// The installer's value and the operator's flag for the history.
pub(crate) const MAX_HISTORY: (&str, &str) = ("helmReleaseMaxHistory", "helmrelease-max-history");

impl OperatorSettings {
    /// Sets one from the text of a flag or of an installer value, whose name is either. An empty
    /// text leaves the default, as the installer does. The error says what is wrong with the text.
    pub(crate) fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Ok(());
        }
        if name == MAX_HISTORY.0 || name == MAX_HISTORY.1 {
            self.max_history = text
                .parse::<i64>()
                .ok()
                .and_then(|count| u64::try_from(count).ok())
                .ok_or_else(|| format!("`{text}` is no history, expected a number from 0"))?;
            return Ok(());
        }
        let at = DURATIONS
            .iter()
            .position(|(value, flag)| *value == name || *flag == name);
        let field = match at {
            Some(0) => &mut self.interval,
            Some(1) => &mut self.retry_interval,
            Some(2) => &mut self.install_timeout,
            Some(3) => &mut self.upgrade_timeout,
            _ => return Err(format!("`{name}` is no setting of the operator")),
        };
        *field = Duration::parse(text)
            .filter(|duration| duration.0 > 0)
            .ok_or_else(|| format!("`{text}` is no duration above zero, such as `5m`"))?;
        Ok(())
    }

    /// The first flag whose duration every HelmRelease is refused for.
    pub(crate) fn refused(&self) -> Option<(&'static str, Duration)> {
        let all = [
            self.interval,
            self.retry_interval,
            self.install_timeout,
            self.upgrade_timeout,
        ];
        let flags = DURATIONS.iter().map(|(_, flag)| *flag);
        flags
            .zip(all)
            .find(|(_, duration)| !duration.fits_release())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_values_set_the_same_fields() {
        let mut settings = OperatorSettings::default();
        settings.set("helmReleaseInterval", "90s").unwrap();
        settings.set("helmrelease-max-history", "0").unwrap();
        settings.set("helmReleaseMaxHistory", "").unwrap();
        assert_eq!(
            (settings.interval, settings.max_history),
            (Duration::seconds(90), 0)
        );
        assert!(settings.set("helmReleaseInterval", "0s").is_err());
        assert!(settings.set("helmReleaseMaxHistory", "-1").is_err());
        settings
            .set("helmrelease-install-timeout", "500us")
            .unwrap();
        assert_eq!(
            settings.refused().map(|(flag, _)| flag),
            Some("helmrelease-install-timeout")
        );
    }
}
