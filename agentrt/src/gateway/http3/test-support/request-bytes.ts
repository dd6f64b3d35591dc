import { frameHead, frameTypes } from "../framing/frame-reader.ts";
import { encodeFieldSection } from "../qpack/encode-field-section.ts";

/** Makes a frame. */
export function frame(type: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([frameHead(type, payload.byteLength), payload]);
}

/** Makes the HEADERS frame of field lines; a list is sent as several lines of one name. */
export function headersFrame(fields: {
  readonly [name: string]: string | readonly string[];
}): Uint8Array {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((each) =>
      encodeFieldSection({ [name]: each }).subarray(2),
    ),
  );
  return frame(frameTypes.HEADERS, Buffer.concat([Uint8Array.of(0, 0), ...lines]));
}

/** Pseudo-headers of a plain GET. */
export const plainGet = {
  ":method": "GET",
  ":scheme": "https",
  ":authority": "localhost",
  ":path": "/",
} as const;
