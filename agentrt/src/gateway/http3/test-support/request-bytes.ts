import { frameHead, frameTypes } from "../frame-reader.ts";
import { encodeFieldSection } from "../qpack-encode.ts";

/** Makes a frame. */
export function frame(type: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([frameHead(type, payload.byteLength), payload]);
}

/** Makes the HEADERS frame of field lines. */
export function headersFrame(fields: { readonly [name: string]: string }): Uint8Array {
  return frame(frameTypes.HEADERS, encodeFieldSection(fields));
}

/** Pseudo-headers of a plain GET. */
export const plainGet = {
  ":method": "GET",
  ":scheme": "https",
  ":authority": "localhost",
  ":path": "/",
} as const;
