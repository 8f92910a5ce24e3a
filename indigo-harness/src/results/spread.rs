//! The distribution of numbers: quartiles and means.

/// Statistics of one or more positive numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Number of values.
    pub count: usize,
    /// The geometric mean, which treats a ratio and its inverse alike.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// A quarter is below it.
    pub lower: f64,
    /// A half is below it.
    pub median: f64,
    /// Three quarters are below it.
    pub upper: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of `values`; `None` without any.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (&min, &max) = (values.first()?, values.last()?);
        let mean = values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64;
        Some(Self {
            count: values.len(),
            mean: mean.exp(),
            min,
            lower: quantile(&values, 0.25),
            median: quantile(&values, 0.5),
            upper: quantile(&values, 0.75),
            max,
        })
    }
}

/// The quantile at `share` of sorted `values`, interpolated linearly between the two nearest
/// values: the default definition in R, NumPy and spreadsheets.
fn quantile(values: &[f64], share: f64) -> f64 {
    let place = share * (values.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    values[below] + (values[above] - values[below]) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_values() {
        let spread = Spread::of(vec![4.0, 1.0, 2.0, 8.0]).unwrap();
        assert_eq!((spread.min, spread.max, spread.count), (1.0, 8.0, 4));
        assert_eq!(
            (spread.lower, spread.median, spread.upper),
            (1.75, 3.0, 5.0)
        );
        assert!((spread.mean - 2.828_427).abs() < 1e-6);
    }

    #[test]
    fn one_value_is_all_of_it_and_none_is_nothing() {
        let spread = Spread::of(vec![3.0]).unwrap();
        assert_eq!((spread.lower, spread.median, spread.upper), (3.0, 3.0, 3.0));
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
