/** The payload of the message benches: four fields, about 85 bytes of JSON, the same on every side. */
export function payload(sequence: number): {
  sequence: number;
  kind: string;
  unit: string;
  value: number;
} {
  return { sequence, kind: "measurement", unit: "degree-celsius", value: 21.5 };
}
