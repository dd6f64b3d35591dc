/** What all subjects begin with. */
const subjectHead = "agentrt.agent.";

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

/** What the subjects of stored messages begin with: apart from those of all others, so that the stream takes nothing else. */
export function storedHeadOf(streamName: string): string {
  return `agentrt.stored.${streamName}.`;
}

/** Writes an address as the subject of its stored messages. */
export function storedSubjectOf(streamName: string, address: string): string {
  return storedHeadOf(streamName) + subjectOf(address).slice(subjectHead.length);
}
