/**
 * Draws the pictures of the README from what the commands print now: `node lab/pictures.ts [name…]` writes
 * `docs/demo.svg` and `docs/codetool.svg`. Run it when an answer or a path in a picture has changed.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { drawTerminal } from "./draw-terminal.ts";

interface Picture {
  readonly name: string;
  readonly title: string;
  /** Where the commands run, from the root of the repository. */
  readonly folder: string;
  readonly commands: readonly string[];
}

const repository = fileURLToPath(new URL("..", import.meta.url));

const pictures: readonly Picture[] = [
  {
    name: "demo",
    title: "npm start -- --once",
    folder: ".",
    commands: ["npm start -- --once"],
  },
  {
    name: "codetool",
    title: "codetool",
    folder: "agentrt",
    commands: [
      "codetool search 'give up after too many crashes' src --top-k 1 --plain",
      "codetool outline src/core/supervision/restart-window.ts --plain",
      "codetool impact src/core/supervision/restart-window.ts --no-tests --budget 200 --plain",
      "codetool run --plain -- node --test src/core/values/glob.test.ts",
      "codetool exists restartWindowMs src",
    ],
  },
];

/** The lines of a terminal in which commands ran, one after the other, without what they wrote to standard error. */
function linesOf({ folder, commands }: Picture): string[] {
  const path = [join(repository, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  return commands.flatMap((command, index) => {
    const result = spawnSync("bash", ["-c", command], {
      cwd: join(repository, folder),
      encoding: "utf8",
      env: { ...process.env, PATH: path, NODE_OPTIONS: "" },
    });
    if (result.status !== 0) throw new Error(`${command}: ${result.stderr}`);
    const printed = result.stdout.trimEnd().split("\n");
    const own = printed.filter((line) => !line.startsWith("> "));
    while (own[0] === "") own.shift();
    return [...(index === 0 ? [] : [""]), `$ ${command}`, ...own];
  });
}

const wanted = process.argv.slice(2);
for (const picture of pictures) {
  if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
  const svg = drawTerminal(picture.title, linesOf(picture));
  writeFileSync(join(repository, "docs", `${picture.name}.svg`), svg);
  process.stdout.write(`wrote docs/${picture.name}.svg\n`);
}
