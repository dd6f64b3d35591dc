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

function fromHalf(bits: number): number {
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

let halves: Float32Array | undefined;

/** The value of each of the 65,536 half-precision numbers, by its bits; made at the first call. */
export function halfValues(): Float32Array {
  if (halves !== undefined) return halves;
  halves = new Float32Array(1 << 16);
  for (let bits = 0; bits < halves.length; bits += 1) halves[bits] = fromHalf(bits);
  return halves;
}
