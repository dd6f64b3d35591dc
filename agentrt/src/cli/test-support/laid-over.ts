/** A topology, and one that is laid over it. */
/** The first file. */
export const base = `x-defaults: &defaults
  handle_timeout: 5
  config: { word: base }
transport: { type: nats, servers: nats://somewhere:4222 }
supervision:
  name: root
  children:
    - agent: { <<: *defaults, name: first, type: agents.Echo }
    - agent: { <<: *defaults, name: second, type: agents.Echo, handle_timeout: 7 }
    - { type: topology_server, port: 0 }
`;

/** Over it: one child changed, one taken out, one new. */
export const production = `supervision:
  max_restarts: 9
  children:
    - { name: first, config: { word: production } }
    - second: null
    - agent: { name: third, type: agents.Echo }
`;
