/** Text of a server goes to a terminal, so nothing that moves the cursor may be in it. */
export function shownText(value: unknown): string | undefined {
  return typeof value === "string" ? value.replaceAll(/\p{C}/gu, "?") : undefined;
}

/** A number of a server, if it is one. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
