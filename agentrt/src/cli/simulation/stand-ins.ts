import { readFileSync } from "node:fs";
import type { SimulatedTree } from "../../composition/index.ts";
import { type NamedModel, reasonOf, type ToolSource } from "../../core/index.ts";
import {
  type ExploreOptions,
  type MakeModels,
  readRecording,
  type Recording,
  replayModels,
  replayTools,
  seededModel,
  type SimulatedWorld,
} from "../../testing/index.ts";
import type { CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import type { SimulationRequest } from "./request.ts";

/** What plays the models and tools of a tree. */
export type StandIns = Required<Pick<ExploreOptions, "models" | "tools">>;

/**
 * Finds what plays the models and tools of a tree. A provider of the file that nobody plays is played by chance.
 *
 * @param request Names a recording or functions of the project.
 * @param tree Knows which models and tool servers the file names, and loads functions.
 * @param io Gets notes of what is played by chance, and what is left out.
 * @returns What makes them for each run.
 * @throws AGENTRT_CLI_STAND_INS_WRONG; AGENTRT_PLUGIN_* when a function cannot be loaded.
 */
export async function standInsOf(
  request: SimulationRequest,
  tree: SimulatedTree,
  io: CommandIo,
): Promise<StandIns> {
  const given = await givenOf(request, tree);
  const models: MakeModels = (world) => {
    const own = given.models(world);
    const rest = own.filter(({ name }) => !tree.models.some((each) => each.name === name));
    const played = tree.models.map(
      ({ name, defaultModel }) =>
        own.find((each) => each.name === name) ?? {
          name,
          provider: seededModel(world, { defaultModel: defaultModel ?? name }),
        },
    );
    return [...played, ...rest];
  };
  const nobody = { seed: 0, random: () => 0, sleep: () => Promise.resolve() };
  const playedNames = given.models(nobody).map(({ name }) => name);
  for (const { name } of tree.models) {
    if (!playedNames.includes(name))
      io.tell(`note: model provider "${name}" is played by chance; --models gives its answers`);
  }
  const toolNames = given.tools(nobody).map(({ name }) => name);
  for (const name of tree.toolServers) {
    if (!toolNames.includes(name))
      io.tell(`note: tool server "${name}" is left out; --tools gives its answers`);
  }
  return { models, tools: given.tools };
}

type Make<Each> = (world: SimulatedWorld) => readonly Each[];

async function givenOf(
  request: SimulationRequest,
  tree: SimulatedTree,
): Promise<{ readonly models: Make<NamedModel>; readonly tools: Make<ToolSource> }> {
  const { models, tools } = request;
  const isRecording = models !== undefined && !models.includes("#");
  const recording = isRecording ? readRecordingFile(models) : [];
  return {
    models: isRecording
      ? () => replayModels(recording)
      : await makerOf<NamedModel>("--models", models, tree),
    tools:
      tools === undefined
        ? () => replayTools(recording)
        : await makerOf<ToolSource>("--tools", tools, tree),
  };
}

function readRecordingFile(path: string): Recording {
  try {
    return readRecording(readFileSync(path, "utf8"));
  } catch (error) {
    throw new cliErrors.STAND_INS_WRONG({ flag: "--models", type: path, reason: reasonOf(error) });
  }
}

async function makerOf<Each extends { readonly name: string }>(
  flag: string,
  type: string | undefined,
  tree: SimulatedTree,
): Promise<Make<Each>> {
  if (type === undefined) return () => [];
  const make = (await tree.loadFunction(type)) as (world: SimulatedWorld) => unknown;
  return (world) => {
    const made = make(world);
    const isList =
      Array.isArray(made) &&
      made.every((each: unknown) => typeof (each as Each | null)?.name === "string");
    if (isList) return made as readonly Each[];
    const reason = "it returned no list of objects with a name";
    throw new cliErrors.STAND_INS_WRONG({ flag, type, reason });
  };
}
