//! Mathematical functions of doubles, as the host computes them: the same in every execution.

use mazurka_trace::FaultKind;

use crate::machine::call::{Call, Flow, Stop};
use crate::machine::soft;
use crate::native::Native;

/// Computes a native of doubles.
pub(super) fn run(native: Native, call: &Call<'_>) -> Result<Flow, Stop> {
    let [x, y, z] = [0, 1, 2].map(|number| f64::from_bits(call.argument(number)));
    match compute(native, x, y, z) {
        Some(result) => Ok(Flow::Done(result.to_bits())),
        None => Err(Stop::Fault(FaultKind::Unmodelled, [0, 0])),
    }
}

fn compute(native: Native, x: f64, y: f64, z: f64) -> Option<f64> {
    Some(match native {
        Native::Sqrt => x.sqrt(),
        Native::Cbrt => x.cbrt(),
        Native::Exp => x.exp(),
        Native::Exp2 => x.exp2(),
        Native::Expm1 => x.exp_m1(),
        Native::Log => x.ln(),
        Native::Log2 => x.log2(),
        Native::Log10 => x.log10(),
        Native::Log1p => x.ln_1p(),
        Native::Sin => x.sin(),
        Native::Cos => x.cos(),
        Native::Tan => x.tan(),
        Native::Asin => x.asin(),
        Native::Acos => x.acos(),
        Native::Atan => x.atan(),
        Native::Sinh => x.sinh(),
        Native::Cosh => x.cosh(),
        Native::Tanh => x.tanh(),
        Native::Asinh => x.asinh(),
        Native::Acosh => x.acosh(),
        Native::Atanh => x.atanh(),
        Native::Pow => x.powf(y),
        Native::Atan2 => x.atan2(y),
        Native::Hypot => x.hypot(y),
        Native::Fmod => x % y,
        Native::Fma => x.mul_add(y, z),
        _ => return None,
    })
}

/// The nearest number to a decimal one, which `strtod` has put into memory of its own.
pub(super) fn parse(call: &mut Call<'_>, single: bool) -> Result<Flow, Stop> {
    let bytes = call.read_bytes(call.argument(0), call.argument(1))?;
    let text = String::from_utf8_lossy(&bytes);
    let value = if single { text.parse::<f32>().map(f64::from) } else { text.parse::<f64>() };
    Ok(Flow::Done(value.unwrap_or(0.0).to_bits()))
}

/// The same for a `long double`, which is put into memory of the caller's own.
pub(super) fn parse_long_double(call: &mut Call<'_>) -> Result<Flow, Stop> {
    let bytes = call.read_bytes(call.argument(0), call.argument(1))?;
    let bits = soft::parse_extended(&String::from_utf8_lossy(&bytes)).unwrap_or(0);
    call.write_bytes(call.argument(2), &bits.to_le_bytes()[..10])?;
    Ok(Flow::Done(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes() {
        assert_eq!(compute(Native::Pow, 2.0, 10.0, 0.0), Some(1024.0));
        assert_eq!(compute(Native::Fmod, -7.0, 3.0, 0.0), Some(-1.0));
        assert_eq!(compute(Native::Malloc, 1.0, 1.0, 1.0), None);
    }
}
