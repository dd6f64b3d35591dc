/** What npm printed of the scripts of one package. */
export interface PackageSection {
  /** Of the package, without its version. */
  readonly name: string;
  /** The scripts' own commands, in their order. */
  readonly commands: readonly string[];
  /** What they printed. */
  readonly text: string;
  /** npm says that a script of it failed. */
  readonly isFailed: boolean;
}

/** `> @shop/app@1.0.0 test`. */
const heading = /^> (@?[^@\s]+)@\S* \S+$/;
const ownLine = /^npm (?:error|ERR!)(?: |$)/;

/**
 * Takes the output of npm apart by the headings that it prints before each script: one section a package, in the order of their
 * first headings. Lines before the first heading, and those of npm itself, are in no section. A package that printed nothing,
 * as one that only starts the scripts of others, has no section.
 */
export function packageSections(printed: string): readonly PackageSection[] {
  const sections = new Map<string, { readonly commands: string[]; readonly lines: string[] }>();
  const failed = new Set<string>();
  let open: { readonly commands: string[]; readonly lines: string[] } | undefined;
  let isHeading = false;
  for (const line of printed.split("\n")) {
    const name = heading.exec(line)?.[1];
    if (name !== undefined) {
      open = sections.get(name) ?? { commands: [], lines: [] };
      sections.set(name, open);
      isHeading = true;
    } else if (isHeading && line.startsWith("> ")) open?.commands.push(line.slice(2));
    else {
      isHeading = false;
      const culprit = /^npm (?:error|ERR!) workspace (@?[^@\s]+)@/.exec(line)?.[1];
      if (culprit !== undefined) failed.add(culprit);
      if (!ownLine.test(line)) open?.lines.push(line);
    }
  }
  return [...sections]
    .map(([name, { commands, lines }]) => ({
      name,
      commands,
      text: lines.join("\n"),
      isFailed: failed.has(name),
    }))
    .filter(({ text, isFailed }) => isFailed || text.trim() !== "");
}
