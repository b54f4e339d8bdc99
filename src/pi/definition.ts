// One of our tools as Pi registers it: how it runs, what the model is shown, how it is drawn in the terminal.
import type { AgentToolResult, AgentToolUpdateCallback, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Wiki } from "../index.ts";
import type { Envelope, Payload } from "../shared/envelope.ts";
import type { Progress } from "../shared/protocol.ts";
import { present } from "../tools/present.ts";
import { grouped, oneLine } from "../tools/render.ts";
import type { WikiTool } from "../tools/tool.ts";
import { type Row, rows } from "./rows.ts";

/** What Pi stores beside an answer: the envelope without the words of pages, or how far the work has come. */
export type Details = Envelope | { operation: Envelope["operation"]; progress: Progress };

/** Often enough to look alive, seldom enough not to flood a session. */
const PROGRESS_EVERY_MS = 200;

export function definition(
  tool: WikiTool,
  wiki: (cwd: string) => Wiki,
): ToolDefinition<WikiTool["parameters"], Details> {
  return {
    name: tool.name,
    label: tool.label,
    description: tool.description,
    promptSnippet: tool.promptSnippet,
    parameters: tool.parameters,
    outputSchema: tool.outputSchema,
    exposure: "direct",
    annotations: tool.annotations,
    async execute(_toolCallId, args, signal, onUpdate, ctx) {
      const call = (given: Payload) =>
        wiki(ctx.cwd).call(tool.operation, given, {
          ...(signal ? { signal } : {}),
          ...(onUpdate ? { onProgress: reporting(tool, onUpdate) } : {}),
        });
      return toolResult(tool, args, await askedWithOrWithoutAt(call, args));
    },
    renderCall: (args, theme) =>
      rows([{ color: "toolTitle", text: `${tool.name} ${oneLine(tool.asked(args as Payload))}` }], theme),
    renderResult: (result, { expanded, isPartial }, theme, context) => {
      const answer = isPartial ? null : envelopeOf(result);
      if (answer === null) return rows([{ color: "muted", text: plainText(result) }], theme);
      if (!answer.ok) return rows([{ color: "error", text: `${answer.code}: ${oneLine(answer.message)}` }], theme);
      const content: Row[] = expanded
        ? [{ color: "toolOutput", text: tool.words(answer.payload) }]
        : [
            { color: "success", text: tool.headline(answer.payload) },
            { color: "dim", text: `(${context.keyText("app.tools.expand")} to expand)` },
          ];
      return rows(content, theme);
    },
  };
}

function toolResult(tool: WikiTool, args: Payload, answer: Envelope): AgentToolResult<Details> {
  const { envelope, json, details } = present(tool, args, answer);
  return {
    content: [{ type: "text", text: json }],
    structuredContent: JSON.parse(json),
    details,
    ...(envelope.ok ? {} : { isError: true }),
  };
}

/**
 * Models put an `@` before paths, as people do in Pi's editor; it is taken off. Where that fails and a page is really
 * named so (`@people/bob.md`), a reference that search gave still works as it is.
 */
async function askedWithOrWithoutAt(call: (args: Payload) => Promise<Envelope>, args: Payload): Promise<Envelope> {
  const { page } = args;
  if (typeof page !== "string" || !page.startsWith("@")) return call(args);
  const answer = await call({ ...args, page: page.slice(1) });
  if (answer.ok || answer.processStatus || answer.code === "deadline" || answer.code === "cancelled") return answer;
  const asGiven = await call(args);
  return asGiven.ok ? asGiven : answer;
}

function reporting(tool: WikiTool, onUpdate: AgentToolUpdateCallback<Details>): (progress: Progress) => void {
  let last = 0;
  return (progress) => {
    const now = Date.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    const text = `${progress.what}: ${grouped(progress.done)} of ${grouped(progress.total)}`;
    onUpdate({ content: [{ type: "text", text }], details: { operation: tool.operation, progress } });
  };
}

/** The whole answer, out of what the model was shown: `details` lacks the words. Null for what is not ours. */
function envelopeOf(result: AgentToolResult<Details>): Envelope | null {
  try {
    const value: unknown = JSON.parse(plainText(result));
    return typeof value === "object" && value !== null && "ok" in value ? (value as Envelope) : null;
  } catch {
    return null; // Pi's own message, for arguments that the schema refuses
  }
}

function plainText(result: AgentToolResult<Details>): string {
  return result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
