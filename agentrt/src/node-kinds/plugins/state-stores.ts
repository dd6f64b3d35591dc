import { z } from "zod";
import { isKeyId, keyIdMax, variableNamePattern } from "../../state/index.ts";
import { fields, wrappedStoreSchema } from "../../topology/index.ts";
import type { DescribedPlugin } from "./described-plugin.ts";

const { flag, mapping, oneOf, seconds, text, textLike, wholeMilliseconds, wholeNumber } = fields;

/** `type: in_memory`: gone when the process ends. */
export const memoryStateKind = {
  name: "in_memory",
  keys: {},
  settings: mapping({}),
} satisfies DescribedPlugin;

/** `type: sqlite`: one file, written by one process. */
export const sqliteStateKind = {
  name: "sqlite",
  keys: {
    db_path: "The database file, relative to the working directory.",
    timeout: "Seconds that a checkpoint waits while another program holds the file.",
    durability: "normal: a checkpoint survives the process. strict: it survives the machine, too.",
  },
  settings: mapping({
    db_path: text("the path of a file").nullish(),
    durability: oneOf(["normal", "strict"], "lower").default("normal"),
    timeout: seconds({ isZeroAllowed: true }).default(10),
  }).transform((given) => ({
    path: given.db_path ?? undefined,
    durability: given.durability,
    timeoutMs: wholeMilliseconds(given.timeout),
  })),
} satisfies DescribedPlugin;

/** `type: postgres`: a table of a database. */
export const postgresStateKind = {
  name: "postgres",
  keys: {
    url: "URL of the database.",
    min_size: "Connections kept open.",
    max_size: "Connections at most.",
    timeout: "Seconds that an operation may take.",
  },
  secretKeys: ["url"],
  settings: mapping({
    url: textLike(
      /^postgres(?:ql)?:\/\/\S+$/,
      "a URL such as postgresql://user@host:5432/database",
    ),
    min_size: wholeNumber({ min: 0, max: 1000 }).default(1),
    max_size: wholeNumber({ min: 1, max: 1000 }).default(10),
    timeout: seconds({ isZeroAllowed: false }).default(30),
  })
    .superRefine((given, context) => {
      if (given.min_size > given.max_size)
        context.addIssue({
          code: "custom",
          path: ["min_size"],
          message: "at most max_size",
        });
    })
    .transform((given) => ({
      url: given.url,
      poolSizeMin: given.min_size,
      poolSizeMax: given.max_size,
      timeoutMs: wholeMilliseconds(given.timeout),
    })),
} satisfies DescribedPlugin;

const natsUrl = () =>
  textLike(/^(?:nats|tls):\/\/\S+$/, "a server URL such as nats://localhost:4222");

/** `type: nats_kv`: a bucket of NATS, which all processes of the topology use. */
export const natsKvStateKind = {
  name: "nats_kv",
  keys: {
    servers: "NATS servers. Default: those of `transport`.",
    bucket: "Name of the key-value bucket; it is made when it is not there.",
    replicas:
      "How many servers of a cluster keep a copy of the bucket that is made. Default: that of `transport`.",
    timeout: "Seconds that a checkpoint waits while the server is away.",
  },
  secretKeys: ["servers"],
  settings: mapping({
    servers: z
      .union([natsUrl(), z.array(natsUrl()).min(1)], {
        error: "a server URL such as nats://localhost:4222, or a list of them",
      })
      .optional(),
    bucket: textLike(/^[\w-]{1,200}$/, "letters, digits, dashes and underscores").default(
      "agentrt_state",
    ),
    replicas: wholeNumber({ min: 1, max: 5 }).optional(),
    timeout: seconds({ isZeroAllowed: false }).default(10),
  }).transform(({ servers, bucket, replicas, timeout }) => ({
    servers: typeof servers === "string" ? [servers] : servers,
    bucket,
    replicaCount: replicas,
    timeoutMs: wholeMilliseconds(timeout),
  })),
} satisfies DescribedPlugin;

const variableName = () => textLike(variableNamePattern, "the name of an environment variable");
const keyRing = () =>
  z.custom<{ readonly [id: string]: string }>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0 &&
      Object.entries(value).every(
        ([id, name]) => isKeyId(id) && typeof name === "string" && variableNamePattern.test(name),
      ),
    {
      error: `a mapping from key ids, 0 to ${keyIdMax}, to the names of environment variables`,
    },
  );

/** `type: encrypted`: around another store. */
export const encryptedStateKind = {
  name: "encrypted",
  keys: {
    store: "The store that keeps the encrypted states.",
    "store.type": "A built-in store or the path of a class.",
    "store.config": "What that store takes.",
    allow_plaintext_read:
      "Whether states that are not encrypted are read; the next checkpoint encrypts them.",
    key_env: "Environment variable that holds the key.",
    keys: "For rotation: environment variables that hold the keys, by key id.",
    current_key_id: "Id of the key that encrypts.",
  },
  wrappedKey: "store",
  secretKeys: ["key_env", "keys"],
  settings: mapping({
    store: wrappedStoreSchema,
    allow_plaintext_read: flag().default(false),
    key_env: variableName().optional(),
    current_key_id: wholeNumber({ min: 0, max: keyIdMax }).optional(),
    keys: keyRing().optional(),
  })
    .superRefine(({ key_env: variable, keys, current_key_id: currentId }, context) => {
      const refuse = (key: string, message: string): void =>
        context.addIssue({ code: "custom", path: [key], message });
      if (keys === undefined) return;
      const ids = Object.keys(keys);
      if (variable !== undefined) refuse("key_env", "either keys or key_env");
      if (currentId === undefined ? ids.length > 1 : !ids.includes(String(currentId)))
        refuse("current_key_id", `one of the ids of keys: ${ids.join(", ")}`);
    })
    .transform((given) => ({
      store: { type: given.store.type, config: given.store.config ?? {} },
      isPlaintextReadAllowed: given.allow_plaintext_read,
      keyEnv: given.key_env,
      keys: given.keys,
      currentKeyId: given.current_key_id,
    })),
  noteOn: ({ store }: { readonly store: { readonly type: string } }) =>
    store.type === memoryStateKind.name
      ? "the encrypted states are kept in memory: they are gone when the process ends"
      : undefined,
} satisfies DescribedPlugin<{ store: { type: string } }>;

/** The state stores of this build. */
export const stateStoreKinds: readonly DescribedPlugin[] = [
  memoryStateKind,
  sqliteStateKind,
  postgresStateKind,
  natsKvStateKind,
  encryptedStateKind,
];
