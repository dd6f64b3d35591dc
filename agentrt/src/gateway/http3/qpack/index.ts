/** Field sections of HTTP/3 (RFC 9204) with the static table only: from bytes to names and values, and back. */
export { type FieldSectionLimits, decodeFieldSection } from "./decode-field-section.ts";
export { encodeFieldSection } from "./encode-field-section.ts";
