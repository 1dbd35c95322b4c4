//! The rules of Kubernetes' documentation on definitions, by table: a schema, a value, what is said.

use super::{Fault, Schemas, Violation, violations};
use crate::source::SourceMap;
use crate::yaml::{Doc, read_all};

/// A definition of Widgets whose `spec` has this schema, and two further versions.
fn definition(spec: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: {{name: widgets.example.com}}\nspec:\n  group: example.com\n  \
         names: {{kind: Widget, plural: widgets}}\n  versions:\n  - name: v1\n    served: true\n    \
         subresources: {{status: {{}}}}\n    schema: {{openAPIV3Schema: {{type: object, properties: \
         {{spec: {spec}}}}}}}\n  - {{name: v1beta1, served: true, deprecated: true, schema: \
         {{openAPIV3Schema: {{type: object}}}}}}\n  - {{name: v1alpha1, served: false}}\n"
    )
}

fn told(definitions: &str, objects: &str) -> Vec<Violation> {
    let mut map = SourceMap::default();
    let mut docs = |text: &str| -> Vec<Doc> {
        let source = map.add("a.yaml", text);
        let docs = read_all(&source).into_iter();
        docs.map(|doc| doc.expect("sound YAML")).collect()
    };
    let (definitions, objects) = (docs(definitions), docs(objects));
    let mut schemas = Schemas::default();
    let roots = definitions.iter().filter_map(Doc::root);
    roots.for_each(|root| schemas.add(root));
    let roots = objects.iter().filter_map(Doc::root);
    roots.flat_map(|root| violations(&schemas, root)).collect()
}

fn widget(rest: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: w}}\n{rest}\n")
}

/// Faults and words for a value of `spec`.
fn of(schema: &str, value: &str) -> Vec<(Fault, String)> {
    let told = told(&definition(schema), &widget(&format!("spec: {value}")));
    told.into_iter().map(|it| (it.fault, it.what)).collect()
}

/// Checks that values are taken, or that each is refused with one fault.
fn table(fault: Fault, rows: &[(&str, &[&str], &[&str])]) {
    for (schema, taken, refused) in rows {
        for value in *taken {
            assert_eq!(of(schema, value), [], "{schema} takes {value}");
        }
        for value in *refused {
            let faults: Vec<Fault> = of(schema, value).into_iter().map(|it| it.0).collect();
            assert_eq!(faults, [fault], "{schema} refuses {value}");
        }
    }
}

#[test]
fn types_are_those_of_json_after_yaml_1_1() {
    table(
        Fault::Type,
        &[
            (
                "{type: string}",
                &["a", "'1'", "2024-01-02", "!!str 5"],
                &["1", "yes", "1.20", "[a]", "{a: b}"],
            ),
            (
                "{type: integer}",
                &["1", "-1", "0x10", "1.0", "1e3"],
                &["'1'", "1.5", "true", "18446744073709551615", "1e300"],
            ),
            ("{type: number}", &["1", "1.5"], &["'1'", "yes"]),
            ("{type: boolean}", &["true", "yes", "off"], &["'yes'", "1"]),
            (
                "{type: object, x-kubernetes-preserve-unknown-fields: true}",
                &["{a: 1}", "{}"],
                &["[]", "a"],
            ),
            (
                "{type: array, items: {type: string}}",
                &["[]", "[a]"],
                &["{}", "a", "[1]", "[~]"],
            ),
            (
                "{type: array, items: {type: string, nullable: true}}",
                &["[~]"],
                &[],
            ),
            (
                "{x-kubernetes-int-or-string: true}",
                &["1", "a", "'80%'"],
                &["1.5", "true", "[]"],
            ),
            (
                "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
                &["1", "a"],
                &["[]"],
            ),
            (
                "{x-kubernetes-preserve-unknown-fields: true}",
                &["1", "a", "[]", "{a: [b]}"],
                &[],
            ),
        ],
    );
}

#[test]
fn values_are_bounded() {
    table(
        Fault::Value,
        &[
            (
                "{type: string, enum: [Skip, Create]}",
                &["Skip"],
                &["skip", "''"],
            ),
            ("{type: integer, enum: [1, 2]}", &["2"], &["3"]),
            (
                "{type: string, pattern: '^([0-9]+(ms|s|m|h))+$'}",
                &["1h30m"],
                &["1d", "''"],
            ),
            ("{type: string, pattern: 'b'}", &["abc"], &["ac"]),
            (
                "{type: string, minLength: 2, maxLength: 3}",
                &["ab", "жжж"],
                &["a", "abcd", "жжжж"],
            ),
            (
                "{type: integer, minimum: 1, maximum: 5}",
                &["1", "5"],
                &["0", "6"],
            ),
            (
                "{type: number, minimum: 1, exclusiveMinimum: true}",
                &["1.1"],
                &["1"],
            ),
            (
                "{type: integer, maximum: 5, exclusiveMaximum: true}",
                &["4"],
                &["5"],
            ),
            ("{type: integer, multipleOf: 5}", &["10"], &["11"]),
            (
                "{type: integer, format: int32}",
                &["2147483647"],
                &["2147483648"],
            ),
            (
                "{type: array, minItems: 1, maxItems: 2, items: {type: string}}",
                &["[a]"],
                &["[]", "[a, b, c]"],
            ),
            (
                "{type: object, minProperties: 1, additionalProperties: {type: string}}",
                &["{a: b}"],
                &["{}"],
            ),
            (
                "{type: string, format: date-time}",
                &["2024-01-02T03:04:05Z"],
                &["yesterday"],
            ),
            ("{type: string, format: no-such-format}", &["anything"], &[]),
            (
                "{type: array, x-kubernetes-list-type: set, items: {type: string}}",
                &["[a, b]"],
                &["[a, a]", "[a, a, a]"],
            ),
            (
                "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: \
                 {type: object, properties: {name: {type: string}, at: {type: string}}}}",
                &["[{name: a}, {name: b}]"],
                &["[{name: a, at: b}, {name: a, at: c}]", "[{}, {}]"],
            ),
            (
                "{type: string, oneOf: [{pattern: a}, {pattern: b}]}",
                &["a", "b"],
                &["c", "ab"],
            ),
            (
                "{type: string, anyOf: [{pattern: a}, {pattern: b}]}",
                &["a", "ab"],
                &["c"],
            ),
            ("{type: string, not: {pattern: a}}", &["b"], &["a"]),
            (
                "{type: string, allOf: [{pattern: a}, {minLength: 1}]}",
                &["a"],
                &["b"],
            ),
        ],
    );
}

#[test]
fn what_flux_substitutes_is_no_value_yet() {
    for schema in [
        "{type: integer}",
        "{type: string, pattern: '^[0-9]+m$'}",
        "{type: string, enum: [a]}",
    ] {
        assert_eq!(of(schema, "\"${THING:=5m}\""), [], "{schema}");
        assert_eq!(of(schema, "$THING").len(), 1, "{schema}");
    }
}

#[test]
fn required_fields_are_looked_for_after_nulls_and_defaults() {
    let schema =
        "{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}";
    table(
        Fault::Required,
        &[
            (schema, &["{a: x}"], &["{}", "{b: x}"]),
            (
                "{type: object, required: [a], properties: {a: {type: string, default: x}}}",
                &["{}", "{a: z}"],
                &[],
            ),
            (
                "{type: object, required: [a], properties: {a: {type: string, nullable: true}}}",
                &["{a: ~}"],
                &["{}"],
            ),
        ],
    );
    let faults: Vec<Fault> = of(schema, "{a: ~}").into_iter().map(|it| it.0).collect();
    assert_eq!(faults, [Fault::Required]);
}

#[test]
fn unknown_fields_are_told_where_they_would_be_dropped() {
    let open = "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: \
                object, properties: {b: {type: string}}}}}";
    table(
        Fault::Unknown,
        &[
            (
                "{type: object, properties: {a: {type: string}}}",
                &["{a: x}"],
                &["{b: x}", "{a: x, b: 1}"],
            ),
            (open, &["{c: {d: 1}}", "{a: {b: x}}"], &["{a: {c: 1}}"]),
            (
                "{type: object, additionalProperties: {type: string}}",
                &["{any: x}"],
                &[],
            ),
            (
                "{type: object, additionalProperties: true}",
                &["{any: x}"],
                &["{any: {thing: x}}"],
            ),
            ("{type: object}", &["{}"], &["{a: 1}"]),
        ],
    );
    let said = of(
        "{type: object, properties: {interval: {type: string}}}",
        "{intervall: 5m}",
    );
    assert_eq!(said[0].1, "`spec.intervall` is no field of Widget");
}

#[test]
fn embedded_objects_are_objects() {
    let schema = "{type: object, x-kubernetes-embedded-resource: true, \
                  x-kubernetes-preserve-unknown-fields: true}";
    assert_eq!(
        of(
            schema,
            "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {b: c}}"
        ),
        []
    );
    let faults =
        |value: &str| -> Vec<Fault> { of(schema, value).into_iter().map(|it| it.0).collect() };
    assert_eq!(faults("{kind: Pod}"), [Fault::Required]);
    assert_eq!(faults("{apiVersion: v1, kind: 1}"), [Fault::Type]);
    assert_eq!(
        faults("{apiVersion: v1, kind: Pod, metadata: {lables: {}}}"),
        [Fault::Unknown]
    );
}

#[test]
fn metadata_has_a_schema_of_its_own_and_status_has_none() {
    let definition = definition("{type: object}");
    let faults = |rest: &str| -> Vec<Fault> {
        let text = format!("apiVersion: example.com/v1\nkind: Widget\n{rest}\n");
        told(&definition, &text)
            .into_iter()
            .map(|it| it.fault)
            .collect()
    };
    assert_eq!(
        faults("metadata: {name: w, labels: {a: b}, creationTimestamp: }\nstatus: {x: 1}"),
        []
    );
    assert_eq!(faults("metadata: {name: w, labels: {a: 1}}"), [Fault::Type]);
    assert_eq!(
        faults("metadata: {name: w, label: {a: b}}"),
        [Fault::Unknown]
    );
    assert_eq!(faults("metadata: {name: w}\nstat: {}"), [Fault::Unknown]);
}

#[test]
fn versions_are_told_apart() {
    let definition = definition("{type: object}");
    let faults = |version: &str| -> Vec<Fault> {
        let text = format!("apiVersion: {version}\nkind: Widget\nmetadata: {{name: w}}\n");
        told(&definition, &text)
            .into_iter()
            .map(|it| it.fault)
            .collect()
    };
    assert_eq!(faults("example.com/v1"), []);
    assert_eq!(faults("example.com/v1beta1"), [Fault::Deprecated]);
    assert_eq!(faults("example.com/v1alpha1"), [Fault::NotServed]);
    assert_eq!(faults("example.com/v3"), [Fault::NotServed]);
    assert_eq!(faults("other.example.com/v3"), []);
}

#[test]
fn lists_aliases_and_merges_are_followed() {
    let definition = definition("{type: object, properties: {a: {type: string}}}");
    let items = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: example.com/v1, kind: Widget, \
                 metadata: {name: w}, spec: {a: 1}}\n";
    assert_eq!(told(&definition, items).len(), 1);
    let merged = widget("x: &x {a: 1}\nspec: {<<: *x}");
    let faults: Vec<Fault> = told(&definition, &merged)
        .into_iter()
        .map(|it| it.fault)
        .collect();
    assert_eq!(faults, [Fault::Unknown, Fault::Type]);
}

#[test]
fn an_openapi_document_describes_go_types() {
    let document = r##"{"swagger": "2.0", "definitions": {
        "Quantities": {"type": "object", "additionalProperties": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity"}},
        "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"},
        "Raw": {"type": "object"},
        "Pod": {"type": "object", "required": ["spec"], "x-kubernetes-group-version-kind": [{"group": "", "kind": "Pod", "version": "v1"}],
          "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"$ref": "#/definitions/Raw"},
            "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}, "port": {"type": "string", "format": "int-or-string"},
              "limits": {"$ref": "#/definitions/Quantities"}, "raw": {"$ref": "#/definitions/Raw"}, "inner": {"$ref": "#/definitions/Pod"}}}}}}}"##;
    let faults = |rest: &str| -> Vec<(Fault, bool)> {
        let text = format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\n{rest}\n");
        told(document, &text)
            .into_iter()
            .map(|it| (it.fault, it.exact))
            .collect()
    };
    assert_eq!(
        faults("spec: {replicas: ~, port: 80, limits: {cpu: 1, memory: 1Gi}, raw: {a: 1}}"),
        []
    );
    assert_eq!(faults("spec: {replicas: '1'}"), [(Fault::Type, false)]);
    assert_eq!(faults("spec: {replica: 1}"), [(Fault::Unknown, false)]);
    assert_eq!(
        faults("spec: {inner: {spec: {port: [1]}}}"),
        [(Fault::Type, false)]
    );
    assert_eq!(faults(""), [(Fault::Required, false)]);
}

#[test]
fn values_without_end_and_schemas_without_end_are_left_at_a_bound() {
    let deep = (0..400).fold("\n".to_owned(), |text, at| {
        text + &" ".repeat(at + 1) + "a:\n"
    });
    assert_eq!(
        of("{x-kubernetes-preserve-unknown-fields: true}", &deep),
        []
    );
    let bomb = (1..40).fold("x0: &x0 [x, x]\n".to_owned(), |text, at| {
        let inner = at - 1;
        text + &format!("x{at}: &x{at} [*x{inner}, *x{inner}]\n")
    });
    let schema = "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}";
    let text = widget(&format!("{bomb}spec: *x39"));
    assert_eq!(
        told(&definition(schema), &text).len(),
        40,
        "the anchors are unknown fields"
    );
}

#[test]
fn secret_texts_are_not_shown() {
    let document = r#"{"swagger": "2.0", "definitions": {"Secret": {"type": "object",
        "x-kubernetes-group-version-kind": [{"group": "", "kind": "Secret", "version": "v1"}],
        "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
          "stringData": {"type": "object", "additionalProperties": {"type": "string"}}}}}}"#;
    let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {pin: 4711}\n";
    let told = told(document, text);
    assert_eq!(told.len(), 1);
    let said = format!("{} {:?}", told[0].what, told[0].help);
    assert!(!said.contains("4711"), "{said}");
}
