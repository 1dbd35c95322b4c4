//! The cases about packages and the releases that are made of them.

use std::fs;

use yaml_rust2::Yaml;

use super::{folder, forebay, objects};

/// A case's place, what `render --fail-on never` prints, and what its report says.
fn rendered(case: &str, inputs: &[&str]) -> Option<(Vec<Yaml>, Vec<serde_json::Value>)> {
    let place = folder()?.join(case);
    let report = tempfile::NamedTempFile::new().expect("a file for the report");
    let path = report.path().to_str().expect("a name in UTF-8");
    let mut arguments = vec!["render", "--flux", "none", "--fail-on", "never"];
    arguments.extend(["--report", path]);
    arguments.extend(inputs);
    let done = forebay(&place, &arguments);
    assert_eq!(done.status.code(), Some(0));
    let text = fs::read(path).expect("the report is always written");
    let report: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    Some((objects(&String::from_utf8_lossy(&done.stdout)), findings))
}

const PACKAGES: [&str; 2] = ["packages.yaml", "sources.yaml"];

/// The HelmReleases among objects, as `namespace/name`, sorted.
fn releases(objects: &[Yaml]) -> Vec<String> {
    let all = objects.iter();
    let mut names: Vec<String> = all
        .filter(|object| object["kind"].as_str() == Some("HelmRelease"))
        .filter_map(|object| {
            let metadata = &object["metadata"];
            Some(format!(
                "{}/{}",
                metadata["namespace"].as_str()?,
                metadata["name"].as_str()?
            ))
        })
        .collect();
    names.sort();
    names
}

/// The file and line of every finding of a rule, with its message.
fn told(findings: &[serde_json::Value], rule: &str) -> Vec<(String, String)> {
    let of_rule = findings.iter().filter(|finding| finding["rule"] == rule);
    of_rule
        .map(|finding| {
            let place = format!(
                "{}:{}",
                finding["file"].as_str().unwrap_or_default(),
                finding["line"]
            );
            let message = finding["message"].as_str().unwrap_or_default().to_owned();
            (place, message)
        })
        .collect()
}

#[test]
fn case_53_packages_become_releases() {
    let Some((objects, findings)) = rendered("53-packages-to-helmreleases", &PACKAGES) else {
        return;
    };
    assert!(findings.is_empty(), "{findings:?}");
    let wanted = ["cozy-base/crds", "cozy-web/app", "cozy-web/web-operator"];
    assert_eq!(releases(&objects), wanted);
    let release = |name: &str| {
        let named = |object: &&Yaml| {
            object["kind"].as_str() == Some("HelmRelease")
                && object["metadata"]["name"].as_str() == Some(name)
        };
        objects.iter().find(named).expect("it is listed above")
    };
    let edges = |name: &str| -> Vec<String> {
        let edges = release(name)["spec"]["dependsOn"].as_vec().cloned();
        edges
            .unwrap_or_default()
            .iter()
            .filter_map(|edge| {
                Some(format!(
                    "{}/{}",
                    edge["namespace"].as_str()?,
                    edge["name"].as_str()?
                ))
            })
            .collect()
    };
    assert!(edges("crds").is_empty());
    assert_eq!(edges("web-operator"), ["cozy-base/crds"]);
    assert_eq!(edges("app"), ["cozy-web/web-operator", "cozy-base/crds"]);
    let metadata = &release("web-operator")["metadata"];
    assert_eq!(
        metadata["labels"]["cozystack.io/privileged"].as_str(),
        Some("true")
    );
    assert_eq!(
        metadata["annotations"]["cozyhr.cozystack.io/values-files"].as_str(),
        Some("values.yaml,values-a.yaml")
    );
    let app = release("app");
    assert_eq!(
        app["metadata"]["labels"]["cozystack.io/package"].as_str(),
        Some("example.web")
    );
    assert_eq!(app["spec"]["values"]["replicas"].as_i64(), Some(2));
    assert_eq!(
        app["spec"]["chartRef"]["name"].as_str(),
        Some("example-web-default-app")
    );
    assert_eq!(
        app["spec"]["valuesFrom"][0]["name"].as_str(),
        Some("cozystack-values")
    );
}

#[test]
fn case_60_a_missing_package_and_a_missing_component_at_once() {
    let Some((objects, findings)) = rendered("60-dependency-that-does-not-exist", &PACKAGES) else {
        return;
    };
    assert_eq!(
        releases(&objects),
        ["cozy-base/crds"],
        "none of example.web"
    );
    let package = told(&findings, "dependencies-not-ready");
    let component = told(&findings, "depends-on-failed");
    assert_eq!((package.len(), component.len()), (1, 1), "{findings:?}");
    assert!(package[0].0.starts_with("sources.yaml:") && package[0].1.contains("`example.dns`"));
    assert!(component[0].0.starts_with("sources.yaml:") && component[0].1.contains("`cache`"));
}

#[test]
fn case_61_the_edge_to_a_disabled_component_stays_and_is_told() {
    let case = "61-dependency-on-a-disabled-component";
    let Some((objects, findings)) = rendered(case, &PACKAGES) else {
        return;
    };
    assert_eq!(
        releases(&objects),
        ["cozy-base/crds", "cozy-web/app", "cozy-web/extra"]
    );
    let app = objects
        .iter()
        .find(|object| object["metadata"]["name"].as_str() == Some("app"))
        .expect("it is listed above");
    assert_eq!(
        app["spec"]["dependsOn"][0]["name"].as_str(),
        Some("web-operator")
    );
    assert_eq!(told(&findings, "depends-on-disabled").len(), 1);
    assert!(findings.iter().all(|finding| finding["level"] == "warning"));
}

#[test]
fn case_62_what_is_missing_is_told_and_nothing_is_rendered() {
    let case = "62-variant-or-namespace-missing";
    let Some((objects, findings)) = rendered(case, &PACKAGES) else {
        return;
    };
    assert_eq!(releases(&objects), Vec::<String>::new());
    let variant = told(&findings, "variant-not-found");
    assert!(variant[0].1.contains("`talos`") && variant[0].1.contains("`default`"));
    assert!(told(&findings, "empty-namespace")[0].1.contains("`app`"));
    assert!(
        told(&findings, "package-source-not-found")[0]
            .1
            .contains("`example.nosource`")
    );
    assert_eq!(findings.len(), 3, "{findings:?}");
    let place = folder().expect("it is there").join(case);
    let done = forebay(
        &place,
        &["render", "--flux", "none", "packages.yaml", "sources.yaml"],
    );
    assert_eq!((done.status.code(), done.stdout.len()), (Some(1), 0));
}

#[test]
fn case_63_a_ring_is_spelled_once_and_can_be_ignored() {
    let Some((_, findings)) = rendered("63-dependency-cycle", &PACKAGES) else {
        return;
    };
    let blocked = told(&findings, "dependencies-not-ready");
    let ring = "`example.a` → `example.b` → `example.c` → `example.a`";
    let spelled = blocked
        .iter()
        .filter(|(_, message)| message.contains(ring))
        .count();
    assert_eq!(spelled, 1, "{blocked:?}");
    let missing = told(&findings, "package-source-not-found");
    assert!(
        missing.len() == 1 && missing[0].1.contains("`example.d`"),
        "{missing:?}"
    );
    let place = folder().expect("it is there").join("63-dependency-cycle");
    let packages = fs::read_to_string(place.join("packages.yaml")).expect("it is there");
    let (before, rest) = packages
        .split_once("name: example.c\nspec: {}")
        .expect("package c");
    let open = format!("{before}name: example.c\nspec: {{ignoreDependencies: [example.a]}}{rest}");
    let other = tempfile::tempdir().expect("a folder");
    fs::write(other.path().join("packages.yaml"), open).expect("a file");
    fs::copy(
        place.join("sources.yaml"),
        other.path().join("sources.yaml"),
    )
    .expect("a copy");
    let done = forebay(other.path(), &["check", ".", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    assert!(
        told(findings, "dependencies-not-ready").is_empty(),
        "{findings:?}"
    );
}

#[test]
fn case_64_settings_that_nobody_reads_are_told_and_the_release_has_none() {
    let Some((objects, findings)) = rendered("64-values-nobody-reads", &PACKAGES) else {
        return;
    };
    let app = objects
        .iter()
        .find(|object| {
            let name = object["metadata"]["name"].as_str();
            object["kind"].as_str() == Some("HelmRelease") && name == Some("app")
        })
        .expect("the release");
    assert!(app["spec"]["values"].is_badvalue());
    let rules: Vec<&str> = findings
        .iter()
        .filter_map(|it| it["rule"].as_str())
        .collect();
    assert_eq!(rules, ["unknown-component", "override-without-install"]);
}

#[test]
fn case_66_image_tables_in_post_renderers_are_checked() {
    let Some((_, findings)) = rendered("66-post-renderer-tables", &["manifests.yaml"]) else {
        return;
    };
    let errors: Vec<_> = findings
        .iter()
        .filter(|finding| finding["level"] == "error")
        .collect();
    assert_eq!(errors.len(), 1, "{findings:?}");
    let told = told(&findings, "override-not-a-string");
    assert_eq!(told[0].0, "manifests.yaml:14");
    assert!(told[0].1.contains("`1.10`"), "{told:?}");
}
