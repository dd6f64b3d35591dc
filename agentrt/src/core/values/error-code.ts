/**
 * Names a fault by what counters and spans may group it by. Never throws, whatever user code threw.
 *
 * @param error What was thrown.
 * @returns Its code, else the name of its class, else its type; at most 64 characters.
 */
export function errorCodeOf(error: unknown): string {
  try {
    const code: unknown = Reflect.get(Object(error), "code");
    if (typeof code === "string" && code !== "") return code.slice(0, 64);
    const name: unknown = error instanceof Error ? error.name : typeof error;
    return String(name).slice(0, 64);
  } catch {
    return typeof error;
  }
}
