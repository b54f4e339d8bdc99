// Comlink ships this adapter's types under a name that Node's module resolution does not find.
declare module "comlink/dist/esm/node-adapter.mjs" {
  import type { Endpoint } from "comlink";
  import type { MessagePort, Worker } from "node:worker_threads";

  export default function nodeEndpoint(port: Worker | MessagePort): Endpoint;
}
