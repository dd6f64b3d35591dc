/** A soak that cannot run on this machine: exit code 2. */
export class SoakUnfit extends Error {}
