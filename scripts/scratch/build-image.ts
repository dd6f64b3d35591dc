/** The steps of a container build file, in a root folder of this machine. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import process from "node:process";
import { ScratchRoot } from "./scratch-root.ts";

/** What an image says of the processes that run in it. */
interface Image {
  readonly root: ScratchRoot;
  readonly directory: string;
  readonly isNode: boolean;
  readonly environment: { readonly [name: string]: string };
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
}

interface Step {
  readonly word: string;
  readonly rest: string;
  /** Of a here-document. */
  readonly text: string | undefined;
}

/**
 * Runs the steps of a build file, each stage in the same root: what a stage takes from another one is there then. Debian's packages are
 * those of this machine, so `apt-get` is left out.
 *
 * @param buildFile Path of the build file.
 * @param context The folder that it copies from.
 * @returns The image; the caller removes its root.
 */
export async function buildImage(buildFile: string, context: string): Promise<Image> {
  const root = new ScratchRoot();
  const ignored = readFileSync(`${buildFile}.dockerignore`, "utf8").trim().split("\n");
  let image: Image = {
    root,
    directory: "/",
    isNode: false,
    environment: {},
    entrypoint: [],
    healthcheck: [],
  };
  for (const { word, rest, text } of steps(readFileSync(buildFile, "utf8"))) {
    if (word === "FROM")
      image = { ...image, directory: rest.includes(" AS base") ? "/" : image.directory };
    else if (word === "WORKDIR") {
      root.write(join(rest, ".keep"), "");
      rmSync(root.at(join(rest, ".keep")));
      image = { ...image, directory: rest };
    } else if (word === "ENV") {
      const [name = "", value = ""] = rest.split("=");
      image = { ...image, environment: { ...image.environment, [name]: value } };
    } else if (word === "USER") image = { ...image, isNode: rest === "node" };
    else if (word === "COPY") copy(image, { rest, text, context, ignored });
    else if (word === "RUN") await runStep(image, rest);
    else if (word === "ENTRYPOINT") image = { ...image, entrypoint: JSON.parse(rest) as string[] };
    else if (word === "HEALTHCHECK")
      image = { ...image, healthcheck: JSON.parse(rest.slice(rest.indexOf("["))) as string[] };
    else assert.equal(word, "EXPOSE");
  }
  return image;
}

async function runStep({ root, directory, environment }: Image, command: string): Promise<void> {
  if (command.startsWith("apt-get ")) return;
  // No package needs its install script here.
  const npm = { npm_config_ignore_scripts: "true", npm_config_fetch_retries: "1", ...outward() };
  const exit = await root.run(["sh", "-ec", command], {
    directory,
    environment: { ...environment, ...npm },
  });
  assert.equal(exit.code, 0, `RUN ${command}\n${exit.stdout}${exit.stderr}`);
}

/** What this machine needs to reach a registry. */
function outward(): { readonly [name: string]: string } {
  const names = ["NODE_EXTRA_CA_CERTS", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function copy(
  { root, directory }: Image,
  step: {
    readonly rest: string;
    readonly text: string | undefined;
    readonly context: string;
    readonly ignored: readonly string[];
  },
): void {
  const [from = "", to = ""] = step.rest.split(" ");
  if (from.startsWith("--from=")) return;
  const target = to.startsWith("/") ? to : join(directory, to);
  if (step.text !== undefined) return root.write(target, step.text);
  const isKept = (path: string): boolean => {
    const name = relative(step.context, path);
    return !step.ignored.some(
      (pattern) => matchesGlob(name, pattern) || matchesGlob(name, `${pattern}/**`),
    );
  };
  const path = from === "." ? target : join(target, from.slice(from.lastIndexOf("/") + 1));
  root.copy(join(step.context, from), path, isKept);
}

function* steps(text: string): Generator<Step> {
  const lines = text.split("\n");
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    const [, word, rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === undefined) {
      assert.match(line, /^(?:#.*)?$/);
      continue;
    }
    const [, end, target] = /^<<'(\w+)' (.*)$/.exec(rest) ?? [];
    if (end === undefined) yield { word, rest, text: undefined };
    else {
      const taken = lines.splice(0, lines.indexOf(end) + 1);
      yield { word, rest: `<<- ${target ?? ""}`, text: `${taken.slice(0, -1).join("\n")}\n` };
    }
  }
}
