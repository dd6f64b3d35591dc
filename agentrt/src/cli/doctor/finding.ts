/** What `agentrt doctor` found out about one thing. */
export interface Finding {
  /** The group that it is listed under. */
  readonly check: DoctorCheck;
  /** `failed`: a start would fail, or serve nobody. `warning`: it works, and will not, or not as it should. */
  readonly state: "ok" | "warning" | "failed";
  /** What was looked at and what was found, one line. */
  readonly message: string;
  /** What to do about it; not there for `ok`. */
  readonly remedy?: string;
}

/** The groups, in the order in which they are listed. */
export const doctorChecks = [
  "node",
  "topology",
  "listeners",
  "certificates",
  "state",
  "network",
  "limits",
] as const;

/** A group of findings. */
export type DoctorCheck = (typeof doctorChecks)[number];
