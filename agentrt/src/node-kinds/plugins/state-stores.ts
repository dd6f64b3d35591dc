import { z } from "zod";
import { isKeyId, keyIdMax, variableNamePattern } from "../../state/state-keys.ts";
import {
  flag,
  mapping,
  oneOf,
  seconds,
  text,
  textLike,
  wholeMilliseconds,
  wholeNumber,
} from "../../topology/schema/fields.ts";
import type { PluginKind } from "../../topology/index.ts";
import { wrappedStoreSchema } from "../../topology/schema/sections.ts";

/** `type: in_memory`: gone when the process ends. */
export const memoryStateKind = {
  name: "in_memory",
  settings: mapping({}),
} satisfies PluginKind;

/** `type: sqlite`: one file, written by one process. */
export const sqliteStateKind = {
  name: "sqlite",
  settings: mapping({
    db_path: text("the path of a file").nullish(),
    durability: oneOf(["normal", "strict"], "lower").default("normal"),
  }).transform((fields) => ({ path: fields.db_path ?? undefined, durability: fields.durability })),
} satisfies PluginKind;

/** `type: postgres`: a table of a database. */
export const postgresStateKind = {
  name: "postgres",
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
    .superRefine((fields, context) => {
      if (fields.min_size > fields.max_size)
        context.addIssue({
          code: "custom",
          path: ["min_size"],
          message: `at most max_size, which is ${fields.max_size}`,
        });
    })
    .transform((fields) => ({
      url: fields.url,
      poolSizeMin: fields.min_size,
      poolSizeMax: fields.max_size,
      timeoutMs: wholeMilliseconds(fields.timeout),
    })),
} satisfies PluginKind;

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
    .transform((fields) => ({
      store: { type: fields.store.type, config: fields.store.config ?? {} },
      isPlaintextReadAllowed: fields.allow_plaintext_read,
      keyEnv: fields.key_env,
      keys: fields.keys,
      currentKeyId: fields.current_key_id,
    })),
  noteOn: ({ store }: { readonly store: { readonly type: string } }) =>
    store.type === memoryStateKind.name
      ? "the encrypted states are kept in memory: they are gone when the process ends"
      : undefined,
} satisfies PluginKind<{ store: { type: string } }>;

/** The state stores of this build. */
export const stateStoreKinds: readonly PluginKind[] = [
  memoryStateKind,
  sqliteStateKind,
  postgresStateKind,
  encryptedStateKind,
];
