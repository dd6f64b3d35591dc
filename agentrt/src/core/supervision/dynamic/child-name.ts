/** Longest name of an agent, in characters. */
const nameLengthMax = 255;
/** What a topology allows, too. */
const namePattern = /^(?!_agency\.|_reply\.|_probe\.|_runtime$)[^\s\p{C}]*$/u;

/** What a name has to be, for errors. */
export const wantedName = `1 to ${nameLengthMax} characters without spaces or control characters, and none of the runtime's own (_agency.*, _reply.*, _probe.*, _runtime)`;

/**
 * Says whether an agent may have a name.
 *
 * @param name Anything.
 * @returns True when a topology would accept it.
 */
export function isChildName(name: unknown): name is string {
  return (
    typeof name === "string" &&
    name !== "" &&
    name.length <= nameLengthMax &&
    namePattern.test(name)
  );
}
