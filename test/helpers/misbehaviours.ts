// The ways a server fails that a client has to survive, each as what it does to one response. `VectorTrick`s answer
// properly but for the vectors.
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

export type Misbehaviour = keyof typeof acts | { status: number; error?: string; text?: string };

export type VectorTrick = keyof typeof vectorTricks;

export function misbehave(how: Misbehaviour, response: ServerResponse): void {
  if (typeof how === "string") {
    acts[how](response);
    return;
  }
  const json = how.error !== undefined;
  response.writeHead(how.status, { "content-type": json ? "application/json" : "text/plain" });
  response.end(json ? JSON.stringify({ error: how.error }) : (how.text ?? ""));
}

const JSON_HEAD = { "content-type": "application/json" };

const acts = {
  hang: () => {},
  "close at once": (response: ServerResponse) => {
    response.socket?.destroy();
  },
  "one byte at a time": (response: ServerResponse) => {
    response.writeHead(200, JSON_HEAD);
    const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write(" ")), 50);
  },
  "cut off": (response: ServerResponse) => {
    response.writeHead(200, { ...JSON_HEAD, "content-length": 100 });
    response.write('{"embeddings":', () => response.socket?.destroy());
  },
  "200 MB": (response: ServerResponse) => {
    response.writeHead(200, JSON_HEAD);
    flood(response, 200 * 1024 * 1024);
  },
  "200 MB announced": (response: ServerResponse) => {
    response.writeHead(200, { ...JSON_HEAD, "content-length": 200 * 1024 * 1024 });
    response.write("{");
  },
  "large error page": (response: ServerResponse) => {
    response.writeHead(404, { "content-type": "text/plain" });
    flood(response, 1024 * 1024);
  },
  redirect: (response: ServerResponse) => {
    response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" });
    response.end();
  },
  html: (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Router</title>");
  },
  "not JSON": (response: ServerResponse) => {
    response.writeHead(200, JSON_HEAD);
    response.end("{'embeddings': [[");
  },
  "JSON null": (response: ServerResponse) => {
    response.writeHead(200, JSON_HEAD);
    response.end("null");
  },
  gzip: (response: ServerResponse) => {
    response.writeHead(200, { ...JSON_HEAD, "content-encoding": "gzip" });
    response.end(gzipSync(Buffer.alloc(1_000_000)));
  },
  "other protocol": (response: ServerResponse) => {
    response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n");
  },
  "switches protocols": (response: ServerResponse) => {
    response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
  },
  "two lengths": (response: ServerResponse) => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n";
    response.socket?.end(`${head}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`);
  },
  "endless headers": (response: ServerResponse) => {
    const { socket } = response;
    socket?.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n");
    for (let index = 0; index < 3_000; index++) socket?.write(`x-${index}: ${"a".repeat(100)}\r\n`);
  },
  "endless interim answers": (response: ServerResponse) => {
    const { socket } = response;
    const timer = setInterval(() => {
      if (!socket || socket.destroyed) clearInterval(timer);
      else socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
    }, 2);
  },
} satisfies Record<string, (response: ServerResponse) => void>;

/** What is sent instead of the right vectors, as the body's JSON text. */
export const vectorTricks = {
  "no vectors": () => '{"embeddings":[]}',
  "one vector too many": (vectors: number[][]) => JSON.stringify({ embeddings: [...vectors, vectors[0]] }),
  "empty vectors": (vectors: number[][]) => JSON.stringify({ embeddings: vectors.map(() => []) }),
  "null vectors": (vectors: number[][]) => JSON.stringify({ embeddings: vectors.map(() => null) }),
  "null numbers": (vectors: number[][]) => JSON.stringify({ embeddings: vectors.map((v) => v.map(() => null)) }),
  NaN: (vectors: number[][]) => `{"embeddings":[${vectors.map(() => "[NaN,1]").join()}]}`,
  infinite: (vectors: number[][]) => `{"embeddings":[${vectors.map(() => "[1e999,1]").join()}]}`,
  "too large for 32 bits": (vectors: number[][]) => `{"embeddings":[${vectors.map(() => "[1e39,1]").join()}]}`,
  zeros: (vectors: number[][]) => JSON.stringify({ embeddings: vectors.map((v) => v.map(() => 0)) }),
  "another dimension": (vectors: number[][]) => JSON.stringify({ embeddings: vectors.map((v) => v.slice(1)) }),
  "mixed dimensions": (vectors: number[][]) =>
    JSON.stringify({ embeddings: vectors.map((v, index) => v.slice(index % 2)) }),
  "huge dimension": (vectors: number[][]) => JSON.stringify({ embeddings: vectors.map(() => Array(20_000).fill(0.5)) }),
  "no embeddings key": () => '{"embedding":[1,2,3]}',
} satisfies Record<string, (vectors: number[][]) => string>;

function flood(response: ServerResponse, bytes: number): void {
  const piece = Buffer.alloc(64 * 1024, " ");
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return response.once("drain", more);
    }
    response.end();
  };
  more();
}
