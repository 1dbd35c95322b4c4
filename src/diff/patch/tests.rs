//! A patch applied to the old value gives the new one, whatever the two are.

use super::*;

/// Applies one operation as RFC 6902 has it.
fn applied(value: &mut Value, step: &Value) {
    let path = step["path"].as_str().expect("a path");
    let given = step.get("value").cloned();
    let Some((parent, last)) = path.rsplit_once('/') else {
        *value = given.expect("the whole is replaced by something");
        return;
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    let place = value.pointer_mut(parent).expect("the parent is there");
    match (place, step["op"].as_str().expect("an operation")) {
        (Value::Object(map), "remove") => assert!(map.shift_remove(&last).is_some(), "{path}"),
        (Value::Object(map), "replace") => {
            assert!(
                map.insert(last, given.expect("a value")).is_some(),
                "{path}"
            );
        }
        (Value::Object(map), "add") => {
            assert!(
                map.insert(last, given.expect("a value")).is_none(),
                "{path}"
            );
        }
        (Value::Array(items), operation) => {
            let at: usize = last.parse().expect("a number");
            match operation {
                "remove" => drop(items.remove(at)),
                "replace" => items[at] = given.expect("a value"),
                _ => items.insert(at, given.expect("a value")),
            }
        }
        other => panic!("{other:?}"),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % limit
    }

    fn value(&mut self, depth: u64) -> Value {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(3)),
            2 => json!(self.below(2) == 0),
            3 => json!(["a", "b/c", "~", "x\ny"][usize::try_from(self.below(4)).expect("small")]),
            4 => {
                let count = self.below(5);
                (0..count).map(|_| self.value(depth - 1)).collect()
            }
            5 => {
                let count = self.below(5);
                let item = |name: u64, random: &mut Random| json!({"name": format!("n{name}"), "v": random.value(depth - 1)});
                (0..count)
                    .map(|_| {
                        let name = self.below(6);
                        item(name, self)
                    })
                    .collect()
            }
            _ => {
                let mut map = Map::new();
                for _ in 0..self.below(5) {
                    let key = ["a", "b/c", "d~e", "containers", ""]
                        [usize::try_from(self.below(5)).expect("small")];
                    let value = self.value(depth - 1);
                    map.insert(key.to_owned(), value);
                }
                Value::Object(map)
            }
        }
    }

    /// The value with something changed somewhere.
    fn changed(&mut self, value: &Value, depth: u64) -> Value {
        if depth == 0 || self.below(4) == 0 {
            return self.value(depth);
        }
        match value {
            Value::Array(items) if !items.is_empty() => {
                let mut items = items.clone();
                let at = usize::try_from(self.below(items.len() as u64)).expect("small");
                match self.below(4) {
                    0 => drop(items.remove(at)),
                    1 => items.insert(at, self.value(depth - 1)),
                    2 => items.rotate_left(at),
                    _ => items[at] = self.changed(&items[at].clone(), depth - 1),
                }
                Value::Array(items)
            }
            Value::Object(map) if !map.is_empty() => {
                let mut map = map.clone();
                let at = usize::try_from(self.below(map.len() as u64)).expect("small");
                let key = map.keys().nth(at).expect("it is there").clone();
                let value = self.changed(&map[&key].clone(), depth - 1);
                map.insert(key, value);
                Value::Object(map)
            }
            _ => self.value(depth),
        }
    }
}

#[test]
fn a_patch_makes_the_new_value_of_the_old_one() {
    let mut random = Random(42);
    for _ in 0..20_000 {
        let old = random.value(4);
        let new = random.changed(&old, 4);
        let mut made = old.clone();
        let steps = patch(&old, &new);
        for step in &steps {
            applied(&mut made, step);
        }
        assert_eq!(made, new, "{old} {new} {steps:?}");
    }
}

#[test]
fn a_change_inside_an_item_is_no_new_list() {
    let list = |image: &str| json!({"containers": [{"name": "a"}, {"name": "b", "image": image}]});
    let steps = patch(&list("x:1"), &list("x:2"));
    let expected = json!({"op": "replace", "path": "/containers/1/image", "value": "x:2"});
    assert_eq!(steps, [expected]);
}
