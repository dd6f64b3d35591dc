/** What all subjects begin with. */
export const subjectHead = "agentrt.agent.";

/**
 * Writes an address as a NATS subject. What NATS gives a meaning (`.`, `*`, `>`, spaces) and what is not ASCII is escaped as in a
 * URL, and so is `%`: each address is one token, no address is a wildcard, and two addresses never share a subject.
 */
export function subjectOf(address: string): string {
  return (
    subjectHead +
    encodeURIComponent(address).replaceAll(/[.*]/g, (found) => escapes[found] ?? found)
  );
}

const escapes: { readonly [character: string]: string } = { ".": "%2E", "*": "%2A" };
