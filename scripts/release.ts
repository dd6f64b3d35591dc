/**
 * `npm run release`: builds and looks into the executables of all platforms, and packs each, into `dist/release/`:
 *
 *   codetool-<version>-<platform>.tar.gz   the executable, its names such as `codetool-search` as hard links, the man page,
 *                                          licences, and a bill of materials (CycloneDX 1.6); for Windows a `.zip`, without links
 *   codetool-<version>-<platform>.cdx.json that bill
 *   SHA256SUMS                             of all of them
 *
 * The same commit gives the same bytes: times are those of the commit. With names of platforms only those are packed.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createTemporaryFolder, runProgram } from "testkit";
import { commandDescriptions } from "../codetool/src/cli/descriptions.ts";
import { version } from "../codetool/src/system/index.ts";
import { type ArchiveFile, tarGz, zip } from "./executable/archives.ts";
import { billOfMaterials } from "./executable/bill-of-materials.ts";
import { assetNames } from "./executable/build-executable.ts";
import { type EmbeddedPackage, embeddedPackages } from "./executable/embedded-packages.ts";
import { examineExecutable } from "./executable/examine-executable.ts";
import { type Target, targetHere, targets } from "./executable/targets.ts";
import { root } from "./test-files.ts";

const say = (text: string): void => void process.stderr.write(`release: ${text}\n`);
const folder = join(root, "dist", "release");

/** When the commit was made that is released, seconds since 1970. */
function commitSeconds(): number {
  const result = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  if (result.status !== 0) throw new Error("a release is made of a commit, and git shows none");
  return Number(result.stdout);
}

/** The text of every licence, after the notice that says who made what. */
function renderLicenses(packages: readonly EmbeddedPackage[]): string {
  const notice = readFileSync(join(root, "codetool", "NOTICE"), "utf8");
  const byText = new Map<string, string[]>();
  for (const { name, version: of, license, licenseTexts } of packages) {
    const short = name.replace(/^@oven\/|^@ast-grep\/(?=lang-)|(?<=napi)-.*$/g, "");
    if (!notice.toLowerCase().includes(short.replace(/^bun-.*/, "bun")))
      throw new Error(`codetool/NOTICE does not name ${name}`);
    const text = licenseTexts.join("\n\n") || `${license}: see the notice at the top`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${of}`]);
  }
  const line = "-".repeat(80);
  const texts = [...byText].map(([text, names]) => `${line}\n${names.join("\n")}\n\n${text}\n`);
  return [notice, ...texts].join("\n");
}

async function pack(target: Target): Promise<string> {
  const changedSeconds = commitSeconds();
  const { path, libraries, metafile } = await examineExecutable(target, say);
  const packages = embeddedPackages(metafile, { target, libraries });
  const content = readFileSync(path);
  const tables = assetNames.map((name) => ({
    name,
    content: readFileSync(join(root, "codetool", "assets", name)),
  }));
  const billed = { version, name: target.name, content, packages, tables, changedSeconds };
  const bill = billOfMaterials(billed);
  const title = `codetool-${version}-${target.name}`;
  const at = (name: string): string => `${title}/${name}`;
  const text = (name: string, of: string): ArchiveFile => ({
    path: at(name),
    content: readFileSync(join(root, "codetool", of)),
  });
  const program = at(`codetool${target.suffix}`);
  const isLinked = target.system !== "win32";
  const names = isLinked ? commandDescriptions().map(({ name }) => name) : [];
  const files: ArchiveFile[] = [
    { path: program, content, isExecutable: true },
    ...names.map((name) => ({
      path: at(`codetool-${name}`),
      content: { sameAs: program },
      isExecutable: true,
    })),
    text("LICENSE", "LICENSE"),
    { path: at("LICENSES.txt"), content: Buffer.from(renderLicenses(packages)) },
    text("README.md", "docs/guides/executable.md"),
    text("codetool.1", "man/codetool.1"),
    { path: at("bill-of-materials.cdx.json"), content: Buffer.from(bill) },
  ];
  const archive = `${title}${isLinked ? ".tar.gz" : ".zip"}`;
  writeFileSync(join(folder, archive), (isLinked ? tarGz : zip)({ files, changedSeconds }));
  writeFileSync(join(folder, `${title}.cdx.json`), bill);
  if (target === targetHere() && isLinked) await tryOut(archive, title);
  const megabytes = (statSync(join(folder, archive)).size / 1e6).toFixed(0);
  say(`${archive}: ${megabytes} MB, ${packages.length} packages in it`);
  return archive;
}

/** Unpacks an archive of this machine's platform, and calls the program by one of its names. */
async function tryOut(archive: string, title: string): Promise<void> {
  using unpacked = createTemporaryFolder({ "a.txt": "harbour\n" });
  const workingDirectory = unpacked.path;
  const tar = await runProgram("tar", ["-xzf", join(folder, archive)], { workingDirectory });
  assert.equal(tar.code, 0, tar.stderr);
  const names = readdirSync(join(unpacked.path, title)).filter((name) =>
    name.startsWith("codetool"),
  );
  const inodes = names
    .filter((name) => name !== "codetool.1")
    .map((name) => statSync(join(unpacked.path, title, name)).ino);
  assert.equal(new Set(inodes).size, 1, "all names are of one file");
  assert.equal(inodes.length, commandDescriptions().length + 1);
  const search = join(unpacked.path, title, "codetool-find");
  const { stdout } = await runProgram(search, ["a*", "--flat"], {
    workingDirectory,
    environment: { HOME: unpacked.path },
  });
  assert.match(stdout, /"path":"a.txt"/);
}

function sums(): string {
  const names = readdirSync(folder).filter((name) => name !== "SHA256SUMS");
  return names
    .sort()
    .map((name) => {
      const digest = createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex");
      return `${digest}  ${name}\n`;
    })
    .join("");
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => targets.every((target) => target.name !== name));
if (unknown !== undefined) {
  say(`there is no platform "${unknown}", only ${targets.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const target of targets)
  if (wanted.length === 0 || wanted.includes(target.name)) await pack(target);
writeFileSync(join(folder, "SHA256SUMS"), sums());
