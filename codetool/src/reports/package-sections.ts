import { packageStreams } from "./package-streams.ts";

/** What a package manager printed of the scripts of one package. */
export interface PackageSection {
  /** Of the package, without its version; where pnpm tells only that, its folder. */
  readonly name: string;
  /** The scripts' own commands, in their order; none where they are not known. */
  readonly commands: readonly string[];
  /** What they printed. */
  readonly text: string;
  /** The package manager says that a script of it failed. */
  readonly isFailed: boolean;
}

/** `> @shop/app@1.0.0 test`; pnpm adds the folder. */
const heading = /^> (@?[^@\s]+)@\S* \S+(?: \/.*)?$/;
/** Lines of npm and pnpm themselves. */
const ownLine = /^(?:npm (?:error|ERR!)(?: |$)|[ \u2009](?:WARN|ERROR|ERR_PNPM_\w+)[ \u2009])/;
/** What names a package whose script failed: npm, pnpm, yarn. */
const culprits: readonly RegExp[] = [
  /^npm (?:error|ERR!) workspace (@?[^@\s]+)@/,
  /^[ \u2009](?:ERROR|ERR_PNPM_\w+)[ \u2009]+(@?[^@\s]+)@\S+ \S+: `/,
  /^The command failed in workspace (@?[^@\s]+)@/,
];

interface OpenSection {
  readonly commands: string[];
  readonly lines: string[];
}

/**
 * Takes the output of npm, pnpm, yarn, turbo or lerna apart by the headings before each script, and by the package
 * before each line where several ran at once: one section a package, in the order of their beginnings. Other lines, and those
 * of the package manager itself, are in no section. A package that printed nothing, as one that only starts the scripts of
 * others, has no section.
 */
export function packageSections(printed: string): readonly PackageSection[] {
  const sections = new Map<string, OpenSection>();
  const failed = new Set<string>();
  for (const { name, command, lines, isFailed } of packageStreams(printed)) {
    const open = name === undefined ? undefined : opened(sections, name);
    if (command !== undefined) open?.commands.push(command);
    if (name !== undefined && isFailed) failed.add(name);
    readLines(lines, open, { sections, failed });
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

function opened(sections: Map<string, OpenSection>, name: string): OpenSection {
  const section = sections.get(name) ?? { commands: [], lines: [] };
  sections.set(name, section);
  return section;
}

/** @param first The section of the lines before the first heading. */
function readLines(
  lines: readonly string[],
  first: OpenSection | undefined,
  { sections, failed }: { sections: Map<string, OpenSection>; failed: Set<string> },
): void {
  let open = first;
  let isHeading = false;
  for (const line of lines) {
    const name = heading.exec(line)?.[1];
    if (name !== undefined) {
      open = opened(sections, name);
      isHeading = true;
    } else if (isHeading && line.startsWith("> ")) open?.commands.push(line.slice(2));
    else {
      isHeading = false;
      const culprit = culprits.map((each) => each.exec(line)?.[1]).find(Boolean);
      if (culprit !== undefined) failed.add(culprit);
      else if (!ownLine.test(line)) open?.lines.push(line);
    }
  }
}
