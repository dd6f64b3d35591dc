import type { Difference, DiffSection, ParsedTopology } from "../../topology/index.ts";
import type { JsonValue } from "../../core/index.ts";
import { type CommandInput, type CommandIo, type CommandSpec, jsonFlag } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { environmentFlags, readTopology } from "../topologies/index.ts";

/** `agentrt topology diff`. */
export const topologyDiffCommand: CommandSpec = {
  words: ["topology", "diff"],
  summary: "tell what two topology files say differently",
  arguments: [
    { name: "file_a", summary: "the topology file before" },
    {
      name: "file_b",
      summary: "the topology file after; default file_a with the files of --topology laid over it",
      isOptional: true,
    },
  ],
  flags: [
    {
      name: "topology",
      short: "t",
      value: "path",
      summary: "lay this file over both, or over file_a where there is no file_b; may be repeated",
      isRepeatable: true,
    },
    ...environmentFlags,
    { name: "exit-code", summary: "exit with 1 when the files differ, with 0 when they do not" },
    jsonFlag,
  ],
  examples: [
    [
      "agentrt topology diff old.yaml topology.yaml",
      "lists what was added (+), removed (-) and changed or moved (~), by section; exit code 0 either way",
    ],
    [
      "agentrt topology diff old.yaml topology.yaml --exit-code",
      "the same, and exit code 1 when they differ",
    ],
    [
      "git show HEAD:topology.yaml | agentrt topology diff /dev/stdin topology.yaml --json",
      "what a working copy changes, for a script",
    ],
    [
      "agentrt topology diff base.yaml -t production.yaml",
      "what a file changes that is laid over another one",
    ],
  ],
  run: async (input, io) => {
    const [{ diffTopologies, countDifferences }, { nodeKinds }] = await Promise.all([
      import("../../topology/index.ts"),
      import("../../node-kinds/index.ts"),
    ]);
    const sides = sidesOf(input);
    const paths = [sides[0].join(" + "), sides[1].join(" + ")] as const;
    const a = await readTopology({ paths: sides[0], input, io });
    const b = await readTopology({ paths: sides[1], input, io });
    if (a.topology === undefined || b.topology === undefined) {
      await tellInvalid([a, b], paths, io);
      if (input.isSet("json")) io.print(toPrinted(paths, undefined));
      return 1;
    }
    const mask = (data: JsonValue): JsonValue => b.maskData(a.maskData(data)) as JsonValue;
    const differences = diffTopologies(a.topology, b.topology, nodeKinds).map((difference) =>
      masked(difference, mask),
    );
    if (input.isSet("json"))
      io.print(toPrinted(paths, { differences, ...countDifferences(differences) }));
    else await printDifferences(differences, io);
    return differences.length > 0 && input.isSet("exit-code") ? 1 : 0;
  },
};

type Paths = readonly [string, ...string[]];

/** The files of both sides. */
function sidesOf(input: CommandInput): readonly [Paths, Paths] {
  const before = input.argument("file_a");
  const [after] = input.arguments("file_b");
  const overlays = input.texts("topology");
  if (after !== undefined)
    return [
      [before, ...overlays],
      [after, ...overlays],
    ];
  if (overlays.length > 0) return [[before], [before, ...overlays]];
  throw new cliErrors.USAGE({
    reason: "file_b is missing, and so is --topology",
    help: "agentrt topology diff --help",
  });
}

function masked(difference: Difference, mask: (data: JsonValue) => JsonValue): Difference {
  const { from, to } = difference;
  return {
    ...difference,
    ...(from === undefined ? {} : { from: mask(from) }),
    ...(to === undefined ? {} : { to: mask(to) }),
  };
}

const sectionTitles: { readonly [section in DiffSection]: string } = {
  supervision: "Supervision",
  transport: "Transport",
  plugins: "Plugins",
  audit: "Audit",
  security: "Security",
  mcp: "MCP",
  shutdown: "Shutdown",
  tracing: "Tracing",
  resilience: "Resilience",
};

async function tellInvalid(
  parsed: readonly (ParsedTopology | undefined)[],
  paths: readonly string[],
  io: CommandIo,
): Promise<void> {
  const { formatProblem } = await import("../../topology/index.ts");
  parsed.forEach((file, index) => {
    const problems = file?.problems ?? [];
    for (const problem of problems) io.tell(formatProblem(problem));
    if (problems.length > 0)
      io.tell(`agentrt: ${paths[index]} is not valid: ${countOf(problems.length, "error")}`);
  });
}

async function printDifferences(differences: readonly Difference[], io: CommandIo): Promise<void> {
  if (differences.length === 0) {
    io.print("No differences\n");
    return;
  }
  const { countDifferences, diffSections, renderDifference } =
    await import("../../topology/index.ts");
  const paint = { "+": io.style.green, "-": io.style.red, "~": io.style.yellow };
  const output: string[] = [];
  for (const section of diffSections) {
    const own = differences.filter((difference) => difference.section === section);
    if (own.length === 0) continue;
    output.push(io.style.bold(sectionTitles[section]));
    for (const difference of own) {
      const { marker, text } = renderDifference(difference);
      output.push(`  ${paint[marker](marker)} ${text}`);
    }
    output.push("");
  }
  const { changeCount, additionCount, removalCount } = countDifferences(differences);
  const counts = [
    countOf(changeCount, "change"),
    countOf(additionCount, "addition"),
    countOf(removalCount, "removal"),
  ];
  io.print(`${output.join("\n")}\nSummary: ${counts.join(", ")}\n`);
}

/** The shape of `--json`; of files that cannot be compared, `equal` and `summary` are null. */
function toPrinted(
  [fileA, fileB]: readonly [string, string],
  found:
    | {
        readonly differences: readonly Difference[];
        readonly changeCount: number;
        readonly additionCount: number;
        readonly removalCount: number;
      }
    | undefined,
): string {
  const printed = {
    file_a: fileA,
    file_b: fileB,
    equal: found === undefined ? null : found.differences.length === 0,
    summary:
      found === undefined
        ? null
        : {
            changes: found.changeCount,
            additions: found.additionCount,
            removals: found.removalCount,
          },
    differences: (found?.differences ?? []).map(
      ({ section, change, subject, field, from, to }) => ({
        section,
        change,
        subject,
        field,
        from: from ?? null,
        to: to ?? null,
      }),
    ),
  };
  return `${JSON.stringify(printed, null, 2)}\n`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
