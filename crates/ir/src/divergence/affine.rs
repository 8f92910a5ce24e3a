//! Numbers that rise from lane to lane by a fixed step.

/// The number of lanes of a warp.
pub const WARP_SIZE: i64 = 32;

/// The maximum number of threads of a block.
const MAX_THREADS: i64 = 1024;

/// A value that differs between lanes: `step * lane + base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AffineValue {
    pub step: i64,
    /// The base is `rest` plus a multiple of `modulus`; if that is 0, it is `rest`.
    modulus: i64,
    rest: i64,
    /// The least and the greatest value of all threads, if none is below 0 or above [`Self::MAX`].
    /// Other values may wrap around, and their modulus is a power of two.
    range: Option<[i64; 2]>,
}

impl AffineValue {
    pub const MAX: i64 = i32::MAX as i64;

    pub const THREAD_NUMBER: Self = Self {
        step: 1,
        modulus: WARP_SIZE,
        rest: 0,
        range: Some([0, MAX_THREADS - 1]),
    };

    /// The number of the lane.
    pub const LANE: Self = Self {
        step: 1,
        modulus: 0,
        rest: 0,
        range: Some([0, WARP_SIZE - 1]),
    };

    /// The same for all lanes, but otherwise unknown.
    pub const UNIFORM: Self = Self {
        step: 0,
        modulus: 1,
        rest: 0,
        range: None,
    };

    pub fn constant(number: i64) -> Option<Self> {
        Self::of(0, 0, number, Some([number, number]))
    }

    /// `None` if the numbers are too large to be worth tracking.
    fn of(step: i64, modulus: i64, rest: i64, range: Option<[i64; 2]>) -> Option<Self> {
        let range = range.filter(|[least, most]| *least >= 0 && *most <= Self::MAX);
        let modulus = match range {
            None if modulus != 0 => 1 << modulus.trailing_zeros(),
            _ => modulus,
        };
        let rest = match modulus {
            0 => rest,
            modulus => rest.rem_euclid(modulus),
        };
        let is_small = [step, modulus, rest].iter().all(|it| it.abs() <= Self::MAX);
        is_small.then_some(Self {
            step,
            modulus,
            rest,
            range,
        })
    }

    fn as_constant(self) -> Option<i64> {
        (self.step == 0 && self.modulus == 0).then_some(self.rest)
    }

    /// The value of `self OPERATOR other`, if it is known.
    pub fn combined(self, operator: &str, other: Self) -> Option<Self> {
        match operator {
            "+" => self.plus(other),
            "-" => self.plus(other.times(-1)?),
            "*" => match (self.as_constant(), other.as_constant()) {
                (_, Some(factor)) => self.times(factor),
                (Some(factor), _) => other.times(factor),
                _ => None,
            },
            "<<" => self.times(power_of_two(other)?),
            "/" => {
                let divisor = other.as_constant().filter(|it| *it > 0)?;
                (self.range.is_some() && self.stays_between_multiples(divisor))
                    .then_some(Self::UNIFORM)
            }
            ">>" => self
                .stays_between_multiples(power_of_two(other)?)
                .then_some(Self::UNIFORM),
            "%" => self.range.and(self.remainder(other.as_constant()?)),
            "&" => self.masked(other.as_constant()?),
            _ => None,
        }
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        let range = self.range.zip(other.range);
        Self::of(
            self.step + other.step,
            greatest_common_divisor(self.modulus, other.modulus),
            self.rest + other.rest,
            range.map(|([a, b], [c, d])| [a + c, b + d]),
        )
    }

    pub fn times(self, factor: i64) -> Option<Self> {
        let range = self.range.filter(|_| factor >= 0);
        Self::of(
            self.step * factor,
            (self.modulus * factor).abs(),
            self.rest * factor,
            range.map(|ends| ends.map(|it| it * factor)),
        )
    }

    /// `self % divisor`, if the lanes of a warp have the same quotient.
    fn remainder(self, divisor: i64) -> Option<Self> {
        if divisor <= 0 || !self.stays_between_multiples(divisor) {
            return None;
        }
        let modulus = greatest_common_divisor(self.modulus, divisor);
        Self::of(self.step, modulus, self.rest, Some([0, divisor - 1]))
    }

    /// `self & mask`, if the mask drops all bits in which a warp's lanes differ, or all others.
    fn masked(self, mask: i64) -> Option<Self> {
        if mask != 0 && self.stays_between_multiples(1 << mask.trailing_zeros()) {
            return Some(Self::UNIFORM);
        }
        match mask.checked_add(1) {
            Some(above) if above.count_ones() == 1 => self.remainder(above),
            _ => None,
        }
    }

    /// Whether the values of a warp's lanes are all between the same two multiples of a number,
    /// the lower one included.
    fn stays_between_multiples(self, number: i64) -> bool {
        if self.step == 0 {
            return true;
        }
        let modulus = greatest_common_divisor(self.modulus, number);
        let first = self.rest.rem_euclid(modulus);
        (0..modulus).contains(&(first + self.step * (WARP_SIZE - 1)))
    }

    /// Whether the values of a warp's lanes do not wrap around.
    fn is_in_order(self) -> bool {
        // A known base without a range is below 0 for some lane.
        let is_known = self.step != 0 && self.modulus == 0;
        self.range.is_some() || !is_known && self.stays_between_multiples(self.modulus)
    }

    /// Whether the lanes of a warp agree on `self < other`.
    pub fn agree_on_less(self, other: Self) -> bool {
        if self.step == 0 && other.step == 0 {
            return true;
        }
        if let Some(([a, b], [c, d])) = self.range.zip(other.range)
            && (b < c || a >= d)
        {
            return true;
        }
        // The difference is `step * lane + base`. It must not cross from below 0 to 0 or above.
        let step = self.step - other.step;
        let base = self.rest - other.rest;
        let (step, base) = match step {
            0.. => (step, base),
            // `a >= b` is `b - a - 1 < 0`.
            _ => (-step, -base - 1),
        };
        let modulus = greatest_common_divisor(self.modulus, other.modulus);
        let below = match modulus {
            0 => -1 - base,
            modulus => (-1 - base).rem_euclid(modulus),
        };
        self.is_in_order() && other.is_in_order() && !(0..step * (WARP_SIZE - 1)).contains(&below)
    }
}

/// 2 to the power of a constant.
fn power_of_two(exponent: AffineValue) -> Option<i64> {
    let exponent = exponent.as_constant().filter(|it| (0..31).contains(it))?;
    Some(1 << exponent)
}

/// For a number and 0 this is the number.
fn greatest_common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
