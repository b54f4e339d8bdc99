// What a sandbox tells while it is busy, and what each message weighs in the queue to the host: the sandbox adds the
// weight before it sends, the host takes it off when it has dealt with the message.
import type { Progress } from "./protocol.ts";

export type Told = { kind: "progress"; progress: Progress } | { kind: "emit"; bytes: Uint8Array };

const MESSAGE_BYTES = 64 * 1024; // what any message counts at least, so that small ones are bounded too

export function weight(told: Told): number {
  return MESSAGE_BYTES + (told.kind === "emit" ? told.bytes.length : 0);
}
