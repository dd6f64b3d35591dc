/** Several workers of one group over nats and nats_kv: keys and members are spread over them, and come through a kill with their states. */
import { skipUnless, startNats } from "testkit";
import { testSpreadApprovals } from "./test-support/spread-approvals.ts";
import {
  type SpreadCase,
  testSpawnedGroup,
  testSpreadAgent,
  testSpreadWorkers,
} from "./test-support/spread-workers.ts";

const spreadCase: SpreadCase = {
  name: "nats and nats_kv",
  skip: skipUnless("nats-server"),
  open: async () => {
    const nats = await startNats({ jetStream: true });
    return {
      transport: `{ type: nats, servers: "${nats.url}" }`,
      state: "{ type: nats_kv }",
      [Symbol.asyncDispose]: async () => await nats[Symbol.asyncDispose](),
    };
  },
};

testSpreadWorkers(spreadCase);
testSpreadAgent(spreadCase);
testSpreadApprovals(spreadCase);
testSpawnedGroup(spreadCase);
