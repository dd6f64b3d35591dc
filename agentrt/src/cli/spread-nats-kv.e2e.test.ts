/** Several workers of one group over nats and nats_kv: keys and members are spread over them, and come through a kill with their states. */
import {
  natsKvCase,
  testSpawnedGroup,
  testSpreadAgent,
  testSpreadWorkers,
} from "./test-support/spread-workers.ts";

testSpreadWorkers(natsKvCase);
testSpreadAgent(natsKvCase);
testSpawnedGroup(natsKvCase);
