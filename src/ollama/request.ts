// The one request that leaves the process: over a socket dialled to a literal loopback address, by hand.
//
// `http.request`, `fetch` and agents are avoided on purpose: each can be turned towards a proxy by the environment
// (HTTP_PROXY, NODE_USE_ENV_PROXY), by a global dispatcher (an agent host may set its own) or by a resolver. Here the
// class itself speaks over a ready socket, so there is nothing left that anybody else configures.
import { ClientRequest, type IncomingMessage } from "node:http";
import { isIP, Socket } from "node:net";
import type { LoopbackAddress } from "./url.ts";

export interface GuardedRequest {
  address: LoopbackAddress;
  method: "GET" | "POST";
  /** Below the address's own base path. */
  path: `/${string}`;
  /** JSON text, for POST. */
  body?: string;
  maxRequestBytes: number;
  maxResponseBytes: number;
  /** When to give up, on the clock of `performance.now()`. */
  endsAt: number;
  signal?: AbortSignal | undefined;
}

export interface Answer {
  status: number;
  contentType: string;
  body: Buffer;
}

export type RequestFailureKind =
  | "cancelled"
  | "deadline"
  | "unreachable" // no connection: `detail` is the system's word for it
  | "redirect"
  | "request-too-large"
  | "response-too-large"
  | "cut-off" // the connection ended before the answer did
  | "garbled"; // what came back is not one plain HTTP answer

export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly kind: RequestFailureKind;
  readonly detail: string;

  constructor(kind: RequestFailureKind, detail = "") {
    super(detail ? `${kind}: ${detail}` : kind);
    this.kind = kind;
    this.detail = detail;
  }
}

const HEADERS_MAX_BYTES = 16 * 1024;
const INTERIM_ANSWERS_MAX = 4; // 1xx answers before the real one; a server may send them for ever
const ERROR_BODY_MAX_BYTES = 64 * 1024; // an error is a sentence

/** Sends one request and gives the whole answer. Rejects with `RequestFailure` only; leaves no socket open. */
export async function guardedRequest(request: GuardedRequest): Promise<Answer> {
  const body = request.body === undefined ? undefined : Buffer.from(request.body, "utf8");
  if (body && body.length > request.maxRequestBytes) throw new RequestFailure("request-too-large");
  const life = new Life(request);
  try {
    const socket = await life.race(dial(request, life));
    return await life.race(exchange(request, socket, body));
  } finally {
    life.end();
  }
}

/** The deadline, the abort and the sockets of one request: whatever ends it first ends all of it. */
class Life {
  readonly #sockets: Socket[] = [];
  #over = false;
  readonly #stopped: Promise<never>;
  readonly #takeDown: () => void;

  constructor({ signal, endsAt }: GuardedRequest) {
    let stop: (failure: RequestFailure) => void = () => {};
    this.#stopped = new Promise((_, reject) => {
      stop = reject;
    });
    this.#stopped.catch(() => {}); // it may fire while nobody races
    const onAbort = () => stop(new RequestFailure("cancelled"));
    const timer = setTimeout(() => stop(new RequestFailure("deadline")), Math.max(0, endsAt - performance.now()));
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#takeDown = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
  }

  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#stopped, work]);
  }

  socket(): Socket {
    if (this.#over) throw new RequestFailure("cancelled"); // a late second address must not open anything
    const socket = new Socket();
    this.#sockets.push(socket);
    return socket;
  }

  end(): void {
    this.#over = true;
    this.#takeDown();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A connected socket to the first of the addresses that takes one. */
async function dial({ address, endsAt }: GuardedRequest, life: Life): Promise<Socket> {
  let failure = new RequestFailure("unreachable");
  for (const [index, ip] of address.ips.entries()) {
    const others = address.ips.length - index - 1;
    // An address that swallows packets must leave time for the next one.
    const patienceMs = others > 0 ? (endsAt - performance.now()) / 2 : Number.POSITIVE_INFINITY;
    try {
      return await connect(life.socket(), ip, address.port, patienceMs);
    } catch (error) {
      failure = error as RequestFailure;
    }
  }
  throw failure;
}

function connect(socket: Socket, ip: string, port: number, patienceMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = Number.isFinite(patienceMs)
      ? setTimeout(() => give("no answer"), Math.max(1, patienceMs))
      : undefined;
    const give = (detail: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new RequestFailure("unreachable", detail));
    };
    socket.on("error", (error: NodeJS.ErrnoException) => give(error.code ?? error.message));
    socket.on("close", () => clearTimeout(timer));
    socket.once("connect", () => {
      clearTimeout(timer);
      if (isLoopback(socket.remoteAddress)) resolve(socket);
      else give("the connection does not lead to this machine");
    });
    try {
      // A literal address needs no resolver; should one be asked all the same, it fails.
      const lookup = (_host: string, _options: unknown, done: (error: Error) => void) => done(new Error("no look-up"));
      socket.connect({ host: ip, port, family: isIP(ip), lookup: lookup as never });
      socket.setNoDelay(true);
    } catch (error) {
      give((error as NodeJS.ErrnoException).code ?? "refused by the runtime"); // a permission flag throws at once
    }
  });
}

function isLoopback(remote: string | undefined): boolean {
  return remote !== undefined && (remote === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(remote));
}

function exchange(request: GuardedRequest, socket: Socket, body: Buffer | undefined): Promise<Answer> {
  const { address } = request;
  return new Promise((resolve, reject) => {
    const fail = (kind: RequestFailureKind, detail = "") => reject(new RequestFailure(kind, detail));
    const sent = new ClientRequest({
      protocol: "http:",
      method: request.method,
      host: address.ips[0] ?? null,
      port: address.port,
      path: address.path + request.path,
      createConnection: () => socket,
      setHost: false,
      maxHeaderSize: HEADERS_MAX_BYTES,
      insecureHTTPParser: false,
      headers: {
        host: `${address.host}:${address.port}`,
        accept: "application/json",
        "accept-encoding": "identity",
        connection: "close",
        ...(body ? { "content-type": "application/json", "content-length": body.length } : {}),
      },
    });
    let interim = 0;
    sent.on("information", () => {
      if (++interim > INTERIM_ANSWERS_MAX) fail("garbled", "endless interim answers");
    });
    sent.on("upgrade", () => fail("garbled", "an answer in another protocol"));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const code = error.code ?? "";
      if (code.startsWith("HPE_")) fail("garbled", "not an HTTP answer");
      else fail("cut-off", code);
    });
    sent.on("response", (response) => {
      const refused = refusal(response, request.maxResponseBytes);
      if (refused) reject(refused);
      else collect(response, request.maxResponseBytes).then(resolve, reject);
    });
    sent.end(body);
  });
}

/** Why an answer is not even read, from its head alone. */
function refusal({ statusCode = 0, headers }: IncomingMessage, maxBytes: number): RequestFailure | null {
  if (statusCode >= 300 && statusCode < 400) return new RequestFailure("redirect", String(statusCode));
  if (statusCode < 200) return new RequestFailure("garbled", `status ${statusCode}`);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return new RequestFailure("garbled", "a compressed answer");
  if (Number(headers["content-length"] ?? 0) > maxBytes) return new RequestFailure("response-too-large");
  return null;
}

function collect(response: IncomingMessage, maxResponseBytes: number): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const maxBytes = status === 200 ? maxResponseBytes : Math.min(maxResponseBytes, ERROR_BODY_MAX_BYTES);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    response.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length > maxBytes) reject(new RequestFailure("response-too-large"));
      else pieces.push(piece);
    });
    response.on("error", () => reject(new RequestFailure("cut-off")));
    response.on("close", () => reject(new RequestFailure("cut-off"))); // after `end` this changes nothing
    response.on("end", () => {
      if (!response.complete) return reject(new RequestFailure("cut-off"));
      resolve({ status, contentType: response.headers["content-type"] ?? "", body: Buffer.concat(pieces, length) });
    });
  });
}
