/** The name of the runtime itself. What agents send to it is dropped instead of failing them. */
export const runtimeName = "_runtime";

const reservedTypePattern = /^(?:_agency|agentrt)\./i;

/**
 * Says whether a message type belongs to the runtime: it begins with `_agency.` or `agentrt.`, in small letters or
 * capitals. The bus and the gateway ask here before they pass a message on.
 *
 * @param type A message type.
 * @returns True when application code and clients must not use it.
 */
export function isReservedType(type: string): boolean {
  // Every send asks: the first letter answers for most types, in half of the pattern's time.
  const first = type[0];
  if (first !== "_" && first !== "a" && first !== "A") return false;
  return reservedTypePattern.test(type);
}
