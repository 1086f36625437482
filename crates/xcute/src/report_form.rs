//! The forms that other tools read, and the files that a search writes in them: `sarif=results.sarif`.

use std::path::PathBuf;

/// A form that other tools read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Sarif,
    Junit,
    Cobertura,
    Lcov,
    Github,
}

const NAMES: &[(&str, Form)] =
    &[("sarif", Form::Sarif), ("junit", Form::Junit), ("cobertura", Form::Cobertura), ("lcov", Form::Lcov), ("github", Form::Github)];

/// A file to be written when a search has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportPlan {
    pub form: Form,
    pub file: PathBuf,
}

/// Reads `FORM=FILE`.
pub fn parse(text: &str) -> Result<ReportPlan, String> {
    let all = NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let (name, file) =
        text.split_once('=').filter(|(_, file)| !file.is_empty()).ok_or("it is not of the form FORM=FILE, as in sarif=results.sarif")?;
    let form = NAMES.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("there is no form `{name}`, only {all}"))?.1;
    Ok(ReportPlan { form, file: file.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_and_a_file() {
        assert_eq!(parse("junit=a=b.xml"), Ok(ReportPlan { form: Form::Junit, file: "a=b.xml".into() }));
        for wrong in ["sarif", "sarif=", ""] {
            assert!(parse(wrong).unwrap_err().contains("it is not of the form FORM=FILE"), "{wrong}");
        }
        assert_eq!(parse("text=a").unwrap_err(), "there is no form `text`, only sarif, junit, cobertura, lcov, github");
    }
}
