//! Quantities of Kubernetes, compared by value: `1Gi` and `1024Mi` are one.
//!
//! Source: `k8s.io/apimachinery/pkg/api/resource`, `ParseQuantity`.

/// Billionths, which is the least that a quantity can tell apart; `None` for what is no quantity or
/// beyond any real one.
pub(crate) fn billionths(text: &str) -> Option<i128> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '+' | '-'))
        .unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.len() > 9 || whole.len() > 18 {
        return None;
    }
    let digits = |text: &str| {
        if text.is_empty() {
            Some(0)
        } else {
            text.parse::<i128>().ok()
        }
    };
    let padded = format!("{fraction:0<9}");
    let amount = digits(whole)?
        .checked_mul(1_000_000_000)?
        .checked_add(digits(&padded)?)?;
    sign_and_scale(sign * amount, suffix)
}

fn sign_and_scale(amount: i128, suffix: &str) -> Option<i128> {
    let binary = |power: u32| amount.checked_mul(1i128 << (10 * power));
    let decimal = |power: u32| amount.checked_mul(10i128.checked_pow(power)?);
    match suffix {
        "" => Some(amount),
        "n" => Some(amount / 1_000_000_000),
        "u" => Some(amount / 1_000_000),
        "m" => Some(amount / 1_000),
        "k" => decimal(3),
        "M" => decimal(6),
        "G" => decimal(9),
        "T" => decimal(12),
        "P" => decimal(15),
        "E" => decimal(18),
        "Ki" => binary(1),
        "Mi" => binary(2),
        "Gi" => binary(3),
        "Ti" => binary(4),
        "Pi" => binary(5),
        "Ei" => binary(6),
        _ => {
            let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
            let power = 10i128.checked_pow(exponent.unsigned_abs())?;
            if exponent < 0 {
                Some(amount / power)
            } else {
                amount.checked_mul(power)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_compared_by_value() {
        for (one, other) in [
            ("1Gi", "1024Mi"),
            ("0.5", "500m"),
            ("1e3", "1k"),
            ("2", "2.0"),
        ] {
            assert_eq!(billionths(one), billionths(other), "{one}");
            assert!(billionths(one).is_some());
        }
        assert!(billionths("1Gi") > billionths("1G"));
        for text in ["", "Gi", "1 Gi", "a", "1.2.3"] {
            assert_eq!(billionths(text), None, "{text}");
        }
    }
}
