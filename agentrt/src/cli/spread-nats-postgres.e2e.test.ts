/** Several workers of one group over nats and postgres: keys and members are spread over them, and come through a kill with their states. */
import { skipUnless, startNats, startPostgres } from "testkit";
import {
  type SpreadCase,
  testSpreadAgent,
  testSpreadWorkers,
} from "./test-support/spread-workers.ts";

const spreadCase: SpreadCase = {
  name: "nats and postgres",
  skip: skipUnless("nats-server") === false ? skipUnless("postgres") : skipUnless("nats-server"),
  open: async () => {
    const [nats, postgres] = [await startNats(), await startPostgres()];
    return {
      transport: `{ type: nats, servers: "${nats.url}" }`,
      state: `{ type: postgres, config: { url: "${postgres.url}" } }`,
      [Symbol.asyncDispose]: async () => {
        await nats[Symbol.asyncDispose]();
        await postgres[Symbol.asyncDispose]();
      },
    };
  },
};

testSpreadWorkers(spreadCase);
testSpreadAgent(spreadCase);
