// Asking the host synchronously: the worker posts its question and waits on shared memory while the host fetches, so
// that the Python that asks stays the same plain code as natively.
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";

const QUESTION_MAX_BYTES = 1024 * 1024;
const ANSWER_MAX_BYTES = 16 * 1024 * 1024;
const WAIT_MAX_MS = 60_000; // the host ends the worker long before; this bounds a host that forgot it

export function makeAsk(port: MessagePort, signal: SharedArrayBuffer): (question: Uint8Array) => Uint8Array | null {
  const flag = new Int32Array(signal);
  return (question) => {
    if (question.length > QUESTION_MAX_BYTES) return null;
    Atomics.store(flag, 0, 0);
    port.postMessage(question);
    if (Atomics.wait(flag, 0, 0, WAIT_MAX_MS) === "timed-out") return null;
    const message: unknown = receiveMessageOnPort(port)?.message;
    return message instanceof Uint8Array && message.length <= ANSWER_MAX_BYTES ? message : null;
  };
}
