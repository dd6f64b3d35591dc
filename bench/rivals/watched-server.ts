/** `node watched-server.ts [idle]`: a tree of 10 000 agents, all of which are called all the time, or none. Prints `port <number>`; for each line `<seconds>` it reads, `<calls> <seconds> <processor seconds>`. */
import process from "node:process";
import { createInterface } from "node:readline";
import { Agent, child, createTextLog, Runtime, supervisor, topologyServer } from "agentrt";

const [groupCount, groupSize] = [100, 100];
const callerCount = process.argv[2] === "idle" ? 0 : 64;

class Desk extends Agent {
  override async handle() {
    return {};
  }
}

const numbers = Array.from({ length: groupCount * groupSize }, (_, index) => index);
const names = numbers.map((number) => `desk-${number}`);
const groups = Array.from({ length: groupCount }, (_, group) =>
  supervisor(`group-${group}`, {
    children: names
      .slice(group * groupSize, (group + 1) * groupSize)
      .map((name) => child(Desk, name)),
  }),
);
const listening = Promise.withResolvers<number>();
const runtime: Runtime = new Runtime({
  log: createTextLog({ write: () => undefined }),
  supervision: supervisor("root", { children: [...groups, topologyServer("topo", { port: 0 })] }),
  onListening: ({ port }) => listening.resolve(port),
});
await runtime.start();
let callCount = 0;
const callAll = async (caller: number): Promise<void> => {
  for (let at = caller; ; at += callerCount) {
    // Sockets and timers have their turn, as they have where calls come from outside.
    await new Promise(setImmediate);
    await runtime.call(names[at % names.length] ?? "", {});
    callCount += 1;
  }
};
for (let caller = 0; caller < callerCount; caller += 1) void callAll(caller);
process.stdout.write(`port ${await listening.promise}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [beganMs, before, cpuBefore] = [performance.now(), callCount, process.cpuUsage()];
  await new Promise((resolve) => setTimeout(resolve, Number(line) * 1000));
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - beganMs) / 1000;
  process.stdout.write(`${callCount - before} ${seconds} ${(user + system) / 1e6}\n`);
}
process.exit(0);
