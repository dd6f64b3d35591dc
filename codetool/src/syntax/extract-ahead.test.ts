import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { extractDefinitions, extractDefinitionsAhead } from "./extract.ts";

const fixtures = new URL("fixtures/", import.meta.url);

/** A text of each language that there is a fixture of, and what makes a parser read it twice. */
function texts(): { readonly language: string; readonly text: string }[] {
  const found = readdirSync(fixtures).flatMap((language) =>
    readdirSync(new URL(`${language}/`, fixtures))
      .filter((name) => !name.startsWith("expected"))
      .map((name) => ({
        language,
        text: readFileSync(new URL(`${language}/${name}`, fixtures), "utf8"),
      })),
  );
  const cutByBranches =
    "#ifdef A\nint first(void) {\n#else\nint second(long a) {\n#endif\n  return 1;\n}\n";
  const broken = "API_EXPORT int f(int a) {\n  if (a) {\n}\nint ( ) { } } g(\n";
  return [
    ...found,
    ...[cutByBranches, broken, "\uFEFFint h(void) { return 1; }\r\n", ""].flatMap((text) => [
      { language: "c", text },
      { language: "cpp", text },
    ]),
  ];
}

test("definitions of a text parsed in another thread are those of one parsed in this", async () => {
  const all = texts();
  assert.ok(new Set(all.map(({ language }) => language)).size > 20);
  // All at once, as a search begins them.
  const ahead = await Promise.all(
    all.map(async ({ text, language }) => await extractDefinitionsAhead(text, language)),
  );
  let aheadCount = 0;
  for (const [index, { text, language }] of all.entries()) {
    const symbols = ahead[index];
    // Data formats are read without a parser, in this thread.
    if (symbols === undefined) continue;
    aheadCount += 1;
    assert.deepEqual(
      symbols,
      extractDefinitions(text, language),
      `${language}: ${text.slice(0, 40)}`,
    );
  }
  assert.ok(aheadCount > 20);
});
