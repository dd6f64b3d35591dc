import { defineErrors, TableError } from "../../values/index.ts";

/** A spawn that was refused or failed, or a child that could not be ended: `code` says why, `details` with what. */
export class SpawnError extends TableError {}

/** Errors of dynamic children; all of them are of the class `SpawnError`. */
export const spawnErrors = defineErrors(
  "AGENTRT_SPAWN",
  {
    NO_SUPERVISOR: {
      exitCode: 1,
      httpStatus: 500,
      isRetryable: false,
      message: (d: { child: string; spawner: string }) =>
        `Cannot spawn "${d.child}" for "${d.spawner}": the tree has no dynamic supervisor`,
      remedy: "Declare one: `type: dynamic_supervisor`, or dynamicSupervisor(name) in code",
    },
    UNKNOWN_SUPERVISOR: {
      exitCode: 1,
      httpStatus: 404,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; hint: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": nothing of the tree has that name${d.hint}`,
      remedy: "Correct the name of the dynamic supervisor",
    },
    NOT_DYNAMIC: {
      exitCode: 1,
      httpStatus: 400,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; found: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": it is ${d.found}, want a dynamic supervisor`,
      remedy: "Name a node of type dynamic_supervisor",
    },
    INTO_ITSELF: {
      exitCode: 1,
      httpStatus: 400,
      isRetryable: false,
      message: (d: { child: string; spawner: string }) =>
        `Cannot spawn "${d.child}" into "${d.spawner}": that is the spawner itself`,
      remedy: "Name a node of type dynamic_supervisor",
    },
    SUPERVISOR_NOT_RUNNING: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: true,
      message: (d: { child: string; supervisor: string; status: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": it is ${d.status}, want RUNNING`,
      remedy:
        "Declare it before those who spawn at their start; spawn nothing while the tree stops",
    },
    TOO_MANY_REQUESTS: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: true,
      message: (d: { child: string; supervisor: string; openCountMax: number }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": ${d.openCountMax} spawns wait there already`,
      remedy: "Await spawns, or spawn more slowly",
    },
    NAME_TAKEN: {
      exitCode: 1,
      httpStatus: 409,
      isRetryable: false,
      message: (d: { child: string; supervisor: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": it has a child of that name`,
      remedy: "Choose another name; a spawn that may be repeated needs the same `token` each time",
    },
    NAME_REGISTERED: {
      exitCode: 1,
      httpStatus: 409,
      isRetryable: false,
      message: (d: { child: string; supervisor: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": the name is taken elsewhere in the tree`,
      remedy: "Choose another name",
    },
    CHILDREN_EXHAUSTED: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: true,
      message: (d: { child: string; supervisor: string; childCountMax: number }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": ${d.childCountMax} children live, which is max_children`,
      remedy: "End children that are done, or raise `max_children`",
    },
    SPAWNS_EXHAUSTED: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; spawnCountMax: number }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": ${d.spawnCountMax} were spawned in its life, which is max_total_spawns`,
      remedy: "Raise `max_total_spawns`",
    },
    SPAWNER_CHILDREN_EXHAUSTED: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: true,
      message: (d: {
        child: string;
        supervisor: string;
        spawner: string;
        childCountMaxPerSpawner: number;
      }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": ${d.childCountMaxPerSpawner} children of "${d.spawner}" live, which is max_children_per_spawner`,
      remedy: "End children that are done, or raise `max_children_per_spawner`",
    },
    SPAWNER_SPAWNS_EXHAUSTED: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: false,
      message: (d: {
        child: string;
        supervisor: string;
        spawner: string;
        spawnCountMaxPerSpawner: number;
      }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": "${d.spawner}" spawned ${d.spawnCountMaxPerSpawner} in its life, which is max_total_spawns_per_spawner`,
      remedy: "Raise `max_total_spawns_per_spawner`",
    },
    CLASS_NOT_LOADED: {
      exitCode: 1,
      httpStatus: 400,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; agentClass: string; reason: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": class "${d.agentClass}" cannot be used: ${d.reason}`,
      remedy: "Give a class that derives from `Agent`, or a `type:` as in a topology",
    },
    CLASS_NOT_ALLOWED: {
      exitCode: 1,
      httpStatus: 403,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; agentClass: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": class "${d.agentClass}" is not in class_allowlist`,
      remedy: "Add the class to `class_allowlist`, or spawn another one",
    },
    SPAWNER_NOT_ALLOWED: {
      exitCode: 1,
      httpStatus: 403,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; spawner: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": "${d.spawner}" is not in spawner_allowlist`,
      remedy: "Add the agent to `spawner_allowlist`",
    },
    VETOED: {
      exitCode: 1,
      httpStatus: 403,
      isRetryable: false,
      message: (d: { child: string; supervisor: string; spawner: string; reason: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": its onSpawnRequested refused "${d.spawner}": ${d.reason}`,
      remedy: "Look at the hook: only `true` lets a spawn pass",
    },
    START_FAILED: {
      exitCode: 1,
      httpStatus: 503,
      isRetryable: true,
      message: (d: { child: string; supervisor: string; phase: string; reason: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": it did not start (${d.phase}): ${d.reason}`,
      remedy:
        "Correct the start hook or the configuration; this error's `cause` says where it failed",
    },
    TIMEOUT: {
      exitCode: 1,
      httpStatus: 504,
      isRetryable: true,
      message: (d: { child: string; supervisor: string; timeoutMs: number; waitsFor: string }) =>
        `Cannot spawn "${d.child}" into "${d.supervisor}": ${d.waitsFor} took longer than ${d.timeoutMs} ms`,
      remedy: "Raise `timeoutMs`; a spawn with the same `token` finds the child when it is there",
    },
    OPTION_INVALID: {
      exitCode: 2,
      httpStatus: 400,
      isRetryable: false,
      message: (d: { child: string; option: string; found: string; wanted: string }) =>
        `Cannot spawn or end "${d.child}": ${d.option} is ${d.found}, want ${d.wanted}`,
      remedy: "Correct the option",
    },
    UNKNOWN_CHILD: {
      exitCode: 1,
      httpStatus: 404,
      isRetryable: false,
      message: (d: { child: string }) =>
        `Cannot end "${d.child}": nothing of the tree has that name`,
      remedy: "Correct the name; a child that ended is gone",
    },
    NOT_A_DYNAMIC_CHILD: {
      exitCode: 1,
      httpStatus: 400,
      isRetryable: false,
      message: (d: { child: string }) =>
        `Cannot end "${d.child}": it was declared, want a child that was spawned`,
      remedy: "Use runtime.stopAgent for agents of the topology",
    },
  },
  SpawnError,
);
