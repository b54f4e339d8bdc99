// A model that follows a script: an OpenAI-compatible chat server on loopback. Each request takes the next step, which
// may look at the results of earlier tool calls to fill in its own arguments, as a real model does.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

export type Step = ToolCall | ToolCall[] | string;

/** What a step may look at: the results of all tool calls so far, in order, parsed where they are JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a script reads whatever the tools gave
export type Script = ((results: any[]) => Step)[];

export interface ChatRequest {
  messages: { role: string; content: unknown; tool_calls?: unknown[] }[];
  tools?: { function: { name: string; description: string; parameters: Record<string, unknown> } }[];
}

export interface ModelServer extends AsyncDisposable {
  baseUrl: string;
  /** The requests so far, as Pi sent them. */
  requests: ChatRequest[];
}

export async function modelServer(script: Script): Promise<ModelServer> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chat = JSON.parse(await bodyOf(request)) as ChatRequest;
      requests.push(chat);
      const step = script[requests.length - 1];
      stream(response, step === undefined ? "The script has ended." : step(resultsOf(chat)), requests.length);
    } catch (error) {
      // A script that cannot go on says why in the conversation, where the test shows it.
      stream(response, `The script failed: ${error instanceof Error ? error.message : error}`, requests.length);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function resultsOf(chat: ChatRequest): unknown[] {
  return chat.messages.filter(({ role }) => role === "tool").map(({ content }) => parsed(textOf(content)));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("") : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stream(response: ServerResponse, step: Step, turn: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (delta: object, finish: string | null) => ({
    id: `turn-${turn}`,
    object: "chat.completion.chunk",
    created: 0,
    model: "scripted",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const send = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
  if (typeof step === "string") {
    send(chunk({ role: "assistant", content: step }, null));
    send(chunk({}, "stop"));
  } else {
    const calls = [step].flat().map((call, index) => ({
      index,
      id: `call-${turn}-${index}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    send(chunk({ role: "assistant", content: null, tool_calls: calls }, null));
    send(chunk({}, "tool_calls"));
  }
  send({ ...chunk({}, null), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  response.end("data: [DONE]\n\n");
}
