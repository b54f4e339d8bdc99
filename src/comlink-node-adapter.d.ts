// Comlink ships this adapter's types under a name that Node's module resolution does not find.
declare module "comlink/dist/esm/node-adapter.mjs" {
  import type { MessagePort, Worker } from "node:worker_threads";
  import type { Endpoint } from "comlink";

  export default function nodeEndpoint(port: Worker | MessagePort): Endpoint;
}
