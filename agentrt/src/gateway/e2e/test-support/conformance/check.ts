/** One case of a judge, as it went. */
export interface CaseResult {
  /** Where it stands in the judge's own list, for example "6.1. DATA". */
  readonly section: string;
  /** Its number or name there, with what it does. */
  readonly name: string;
  /** What was found where it is not what was wanted; nothing for a case that passed. */
  readonly found?: string;
}

/** A case that looks at something and throws where that is wrong. */
export interface Check {
  readonly section: string;
  readonly name: string;
  run(): Promise<void>;
}

/** Runs cases one after the other. */
export async function runChecks(checks: readonly Check[]): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const check of checks) {
    const { section, name } = check;
    try {
      await check.run();
      results.push({ section, name });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      results.push({ section, name, found: text.split("\n").slice(0, 6).join(" ").slice(0, 300) });
    }
  }
  return results;
}
