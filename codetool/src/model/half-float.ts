const scratch = new DataView(new ArrayBuffer(4));

/** The nearest half-precision number, as its 16 bits; ties go to the even one, what is too large to infinity. */
export function toHalf(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  const fraction = bits & 0x7f_ffff;
  if (exponent === 143) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent > 0) return sign + roundShift((exponent << 23) | fraction, 13);
  // Too small for a leading one: the fraction is shifted further.
  return exponent < -10 ? sign : sign + roundShift(fraction | 0x80_0000, 14 - exponent);
}

function roundShift(value: number, shift: number): number {
  const kept = value >>> shift;
  const rest = value & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

/** The value of a half-precision number, by its 16 bits. */
export function fromHalf(bits: number): number {
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return (sign * (1024 + fraction) * (1 << exponent)) / (1 << 25);
}

let halves: Float32Array | undefined;

/** `fromHalf` of all 65,536, for reading many; made at the first call, which takes some milliseconds. */
export function halfValues(): Float32Array {
  halves ??= makeHalfValues();
  return halves;
}

function makeHalfValues(): Float32Array {
  const values = new Float32Array(1 << 16);
  // In a loop: `Float32Array.from` takes ten times as long in one of the runtimes.
  for (let bits = 0; bits < values.length; bits += 1) values[bits] = fromHalf(bits);
  return values;
}
