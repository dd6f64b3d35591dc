/** Comments and strings that have the old name: they stay, and are listed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { loadTokenCounter } from "../../text/index.ts";
import { executeCommand } from "../execute-command.ts";
import type { RenamePayload } from "./payload.ts";
import { renameCommand } from "./index.ts";

/** Files with `comment!` or `string!` on lines that are listed. */
interface Case {
  readonly args: readonly [string, string];
  readonly files: { readonly [path: string]: string };
}

const cases: { readonly [what: string]: Case } = {
  TypeScript: {
    args: ["weigh", "measure"],
    files: {
      "src/scale.ts": `
// weigh is exact; reweigh is not // comment!
export function weigh(n: number) { return n; }
/**
 * As weigh does. comment!
 */
export const twice = () => weigh(weigh(1));
`,
      "src/use.tsx": `
import { weigh } from "./scale.ts";
const code = "import x\\nweigh(1)"; // string!
const both = \`weigh \${weigh(1)} string!\`;
const hole = \`\${weigh(1)}\`;
const key = { "weigh": /\\bweigh\\b/ }; // string!
export const page = <p>weigh string!</p>;
`,
      "src/apart.ts": `
// weigh is another one
const label = "weigh the apples";
const program = "import { weigh } from './scale.ts'"; // string!
const call = "scale.weigh(1)"; // string!
`,
    },
  },
  "Python, a member": {
    args: ["Path.convert", "turn"],
    files: {
      "lib/types.py": `
class Path:
    def convert(self, value):
        """Like convert of others. string!"""
        return self.convert(value)  # convert again comment!
`,
      "tests/test_types.py": `
from lib.types import Path
program = (
    "from lib import types\\n"
    "convert = types.Path().convert\\n"  # string!
    "\\tconvert(1)\\n"  # string!
    "converted = 1\\n"
)
Path().convert(1)
`,
    },
  },
  "Go, a program in a string": {
    args: ["Command", "Order"],
    files: {
      "go.mod": "module example.com/m\n",
      "order.go": `
package m

// Command is one. comment!
type Command struct{ Use string }
`,
      "order_test.go":
        'package m\n\nvar program = `\npackage main\nvar c = &m.Command{ // string!\n}\n`\nvar said = "a Command" // string!\n\nvar x Command\n',
    },
  },
};

async function run(
  folder: string,
  input: { readonly [name: string]: unknown },
): Promise<{ readonly data: RenamePayload; readonly plain: string | undefined }> {
  const context = { workingDirectory: folder, environment: {}, isFallbackOff: true };
  const outcome = await executeCommand(renameCommand, input, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return { data: outcome.data as RenamePayload, plain: outcome.plain?.() };
}

for (const [what, { args, files }] of Object.entries(cases))
  test(`rename lists the lines of comments and strings that have the name: ${what}`, async () => {
    using folder = createTemporaryFolder({ ".git/HEAD": "", ...files });
    const [old, newName] = args;
    const { data } = await run(folder.path, { old, new: newName, apply: true });
    assert.ok(data.applied && data.total_replacements > 0);
    const marked = Object.entries(files).flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) => {
        const mark = /(comment|string)!/.exec(line)?.[1];
        return mark === undefined ? [] : [`${path}:${index + 1} ${mark}`];
      }),
    );
    const listed = data.mentions.map((each) => `${each.file}:${each.line} ${each.in}`);
    assert.deepEqual(listed.toSorted(), marked.toSorted());
    assert.equal(data.total_mentions, marked.length);
    assert.deepEqual(data.unresolved, []);
    for (const { text, in: where } of data.mentions) assert.ok(text.includes(`${where}!`), text);
  });

test("an answer of rename keeps its budget, with what is left unresolved and mentioned", async () => {
  const taken = Array.from({ length: 12 }, (_, index) => `const { load: l${index} } = all;`);
  const comments = Array.from({ length: 30 }, (_, index) => `// load ${index}`);
  using folder = createTemporaryFolder({
    ".git/HEAD": "",
    "a.ts": "export function load() {}\n",
    "b.ts": `import * as all from "./a.ts";\n${[...taken, ...comments].join("\n")}\nall.load();\n`,
  });
  const countTokens = await loadTokenCounter();
  const context = { workingDirectory: folder.path, environment: {}, isFallbackOff: true };
  const whole = await run(folder.path, { old: "load", new: "fetchAll" });
  assert.deepEqual([whole.data.total_unresolved, whole.data.total_mentions], [12, 30]);
  for (const apply of [false, true])
    for (const budget of [60, 300, 700, 900, 1100]) {
      const input = { old: "load", new: "fetchAll", budget, apply };
      const outcome = await executeCommand(renameCommand, input, context);
      const used = countTokens(JSON.stringify("error" in outcome ? {} : outcome.data));
      assert.ok(used <= budget, `${used} of ${budget} tokens`);
      if ("error" in outcome) {
        assert.equal(outcome.error.code, "budget_exceeded");
        assert.match(outcome.error.message, new RegExp(`within ${budget} tokens`));
      } else if (apply) {
        assert.match(readFileSync(join(folder.path, "b.ts"), "utf8"), /all\.fetchAll\(\)/);
        return;
      }
    }
  assert.fail("no budget was enough");
});

test("the plain answer of rename is the diff, and then what mentions the name", async () => {
  using folder = createTemporaryFolder({ ".git/HEAD": "", "a.py": "def load(): pass  # load\n" });
  const { plain = "" } = await run(folder.path, { old: "load", new: "fetch" });
  assert.match(
    plain,
    /^--- a\/a\.py\n[^]*\+def fetch\(\): pass {2}# load\nleft: a\.py:1: def load/,
  );
});
