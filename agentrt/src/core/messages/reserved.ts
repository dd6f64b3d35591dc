/** The name of the runtime itself. What agents send to it is dropped instead of failing them. */
export const runtimeName = "_runtime";

const reservedTypePattern = /^(?:_agency|agentrt)\./i;

/**
 * Says whether a message type belongs to the runtime: it begins with `_agency.` or `agentrt.`, in small letters or
 * capitals. Whoever sends a message for somebody else, over the bus or from outside, asks here.
 *
 * @param type A message type.
 * @returns True when application code and clients must not use it.
 */
export function isReservedType(type: string): boolean {
  return reservedTypePattern.test(type);
}
