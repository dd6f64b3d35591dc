/** Longest name of an agent or supervisor, in characters. */
export const nodeNameLengthMax = 255;
/** Takes what a name is made of, the runtime's own names left out; the empty text, too. */
export const nodeNamePattern: RegExp = /^(?!_agency\.|_reply\.|_probe\.|_runtime$)[^\s\p{C}]*$/u;

/** What a name has to be, for errors. */
export const wantedNodeName: string = `1 to ${nodeNameLengthMax} characters without spaces or control characters, and none of the runtime's own (_agency.*, _reply.*, _probe.*, _runtime)`;

/**
 * Says whether an agent or supervisor may have a name.
 *
 * @param name Anything.
 * @returns True when a topology would accept it.
 */
export function isNodeName(name: unknown): name is string {
  return (
    typeof name === "string" &&
    name !== "" &&
    name.length <= nodeNameLengthMax &&
    nodeNamePattern.test(name)
  );
}
