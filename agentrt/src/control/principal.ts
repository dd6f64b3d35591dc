export { principalOf } from "../gateway/index.ts";
