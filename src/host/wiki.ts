// The library's heart: picks the vault, keeps a sandbox for each (at most two), and turns every call into an envelope.
import { stat } from "node:fs/promises";
import { arch, homedir, platform } from "node:os";
import process from "node:process";
import { PACKAGE_ROOT } from "../assets/package-root.ts";
import { type Assets, loadAssets } from "../assets/parts.ts";
import { answerQuestion } from "../ollama/answer.ts";
import { type Probe, probeOllama } from "../ollama/probe.ts";
import { type Envelope, failureFrom, OPERATIONS, type Operation, type Payload } from "../shared/envelope.ts";
import { WikiError } from "../shared/errors.ts";
import { LIMITS } from "../shared/limits.ts";
import type { Progress, Ready, Request } from "../shared/protocol.ts";
import { within } from "./deadline.ts";
import { cacheExclusions } from "./git.ts";
import { Lane } from "./lane.ts";
import { pageName } from "./locations.ts";
import { realFolder } from "./real-folder.ts";
import { envelopeOf } from "./response.ts";
import type { SandboxOptions } from "./sandbox.ts";
import { configuredSynonyms, type Selection, selectVault } from "./select.ts";
import { readSettings, type Settings } from "./settings.ts";
import { shownName } from "./shown-name.ts";

export interface WikiOptions {
  /** The vault to use where a call names none; may be relative to `cwd`. */
  vault?: string;
  /** The configuration file to use in place of OBSIDIAN_AGENT_CONFIG. */
  config?: string;
  /** The vault-relative folder of the pages. */
  wikiPath?: string;
  /** Deadline of a call in milliseconds, 1,000 to 600,000. */
  timeoutMs?: number;
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Start a sandbox for the selected vault now, before the first call needs it (PI_WIKI_WARM=0 turns it off). */
  warm?: boolean;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** For the index command: bytes of the files that the sandbox built, as they come. */
  onFile?: (chunk: Uint8Array) => void;
  /** For doctor: also ask Ollama whether it is there, which no operation does by itself. */
  probe?: boolean;
}

export interface Wiki {
  /** Answers with an envelope in every case; it never throws for what a caller could cause. */
  call(operation: Operation, args: Payload, options?: CallOptions): Promise<Envelope>;
  /** Starts a sandbox for the selected vault, if there is one, before the first call needs it. */
  warm(): Promise<void>;
  /** Ends the sandboxes; calls under way are `cancelled`. */
  close(): Promise<void>;
}

/** Operations that look at the whole wiki, and so begin with a walk over its folders. */
const NEEDS_LISTING: ReadonlySet<Operation> = new Set(["search", "doctor", "index"]);

export function openWiki(options: WikiOptions = {}): Wiki {
  return new OpenWiki(options);
}

class OpenWiki implements Wiki {
  readonly #options: WikiOptions;
  readonly #lanes = new Map<string, Lane>();
  #assets: Promise<Assets> | undefined;
  #closed = false;

  constructor(options: WikiOptions) {
    this.#options = options;
    if (options.warm) this.warm().catch(() => {}); // what is wrong is for the first call to say
  }

  async call(operation: Operation, args: Payload, options: CallOptions = {}): Promise<Envelope> {
    const started = performance.now();
    try {
      if (!OPERATIONS.includes(operation)) throw new WikiError("invalid-input", `There is no operation ${operation}.`);
      if (this.#closed) throw new WikiError("cancelled", "The wiki is closed; open another one.");
      const { vault, ...rest } = args;
      const settings = readSettings(this.#around());
      const finding = this.#find(operation, vault, options);
      const { selection, root, facts } = await within(settings.timeoutMs, options.signal, finding);
      if (this.#closed) throw new WikiError("cancelled", "The wiki was closed before this call was answered.");
      const deadlineMs = settings.timeoutMs - (performance.now() - started);
      const reply = await this.#lane(root, selection.wiki, settings).call({
        deadlineMs: Math.max(1, deadlineMs),
        signal: options.signal,
        needsListing: NEEDS_LISTING.has(operation),
        embedMs: operation === "index" ? LIMITS.embedBuildMs : LIMITS.embedDeadlineMs,
        request: (remainingMs, ready) => {
          const request: Request = {
            operation,
            arguments: "page" in rest ? { ...rest, page: pageName(rest.page, platform() === "win32") } : rest,
            vault: { shown: selection.vault ?? "", wiki: selection.wiki },
            remainingMs,
            host: { ...facts, ...hostFacts(operation, settings, ready) },
          };
          return requestText(request);
        },
        onTold: (told) => {
          if (told.kind === "progress") options.onProgress?.(told.progress);
          else options.onFile?.(told.bytes);
        },
      });
      return envelopeOf(operation, reply);
    } catch (thrown) {
      return failureFrom(operation, thrown);
    }
  }

  /** The vault that a call is about, and its folder as it really is. */
  async #find(operation: Operation, input: unknown, options: CallOptions) {
    const selection = await selectVault({ ...this.#around(), operation, input });
    if (selection.error && operation !== "doctor") throw selection.error;
    const root = await this.#realRoot(selection, operation);
    return { selection, root, facts: await this.#facts(operation, selection, root, options) };
  }

  async #facts(
    operation: Operation,
    selection: Selection,
    root: string | null,
    options: CallOptions,
  ): Promise<Payload> {
    if (operation === "doctor") return this.#doctorFacts(selection, root, options);
    return operation === "search" ? { synonyms: await configuredSynonyms(this.#around()) } : {};
  }

  async warm(): Promise<void> {
    const settings = readSettings(this.#around());
    const selection = await selectVault({ ...this.#around(), operation: "search", input: undefined });
    if (!settings.warm || selection.error || this.#closed) return;
    const root = await this.#realRoot(selection, "doctor");
    if (root !== null && !this.#closed) this.#lane(root, selection.wiki, settings).warm();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    await Promise.all(lanes.map((lane) => lane.close()));
  }

  #around() {
    const { env = process.env, cwd = process.cwd(), vault, config, wikiPath, timeoutMs } = this.#options;
    return { env, cwd, home: homedir(), platform: platform(), vault, config, wikiPath, timeoutMs };
  }

  /** The folder to mount: links on the way to it are the user's own and followed once. Null only for doctor. */
  async #realRoot(selection: Selection, operation: Operation): Promise<string | null> {
    if (selection.vault === null) return null;
    try {
      const root = await realFolder(selection.vault);
      if ((await stat(root)).isDirectory()) return root;
    } catch {}
    if (operation === "doctor") return null;
    throw new WikiError(
      "vault-missing",
      `There is no folder ${shownName(selection.vault)}. ${selection.hint || "Check the vault's path."}`,
    );
  }

  #lane(root: string | null, wiki: string, settings: Settings): Lane {
    const key = `${wiki}\0${root ?? ""}`;
    const known = this.#lanes.get(key);
    if (known) {
      this.#lanes.delete(key); // to the end: the first is the least recently used
      this.#lanes.set(key, known);
      return known;
    }
    const lane = new Lane(async () => ({ assets: this.#loadAssets(), root, wiki, answer: answerFor(settings) }));
    this.#lanes.set(key, lane);
    for (const [otherKey, other] of this.#lanes) {
      if (this.#lanes.size <= LIMITS.sandboxesAlive) break;
      if (other === lane || other.busy) continue;
      this.#lanes.delete(otherKey);
      void other.close();
    }
    return lane;
  }

  #loadAssets(): Promise<Assets> {
    this.#assets ??= loadAssets(PACKAGE_ROOT);
    this.#assets.catch(() => {
      this.#assets = undefined; // a file that could not be read may be readable at the next call
    });
    return this.#assets;
  }

  /** As a hybrid search would find Ollama now, in the time that one has; the report itself needs the rest. */
  #probe(signal: AbortSignal | undefined): Promise<Probe> {
    const { ollama, timeoutMs } = readSettings(this.#around());
    return probeOllama({ ...ollama, signal, deadlineMs: Math.min(LIMITS.embedDeadlineMs, timeoutMs / 2) });
  }

  async #doctorFacts(selection: Selection, root: string | null, { probe, signal }: CallOptions): Promise<Payload> {
    return {
      ...(probe ? { probe: await this.#probe(signal) } : {}),
      config: selection.config,
      selectionError: selection.error?.message ?? null,
      cacheExclusions: root === null ? null : await cacheExclusions(root),
    };
  }
}

function answerFor({ ollama }: Settings): SandboxOptions["answer"] {
  return (question, signal, deadlineMs) => answerQuestion(question, { ...ollama, signal, deadlineMs });
}

function hostFacts(operation: Operation, settings: Settings, ready: Ready): Payload {
  const known: Payload = { ollama: { model: settings.ollama.model, baseUrl: settings.ollama.baseUrl } };
  if (operation !== "doctor") return known;
  return {
    ...known,
    dependencies: { pyodide: ready.versions.pyodide, python: ready.versions.python, node: ready.versions.node },
    sandbox: {
      runtime: "Pyodide in a worker thread",
      versions: { ...ready.versions, package: __VERSION__ },
      platform: `${platform()}-${arch()}`,
      mount: ready.mount,
      network: "none; embeddings are asked for by the host, from Ollama on loopback, only with hybrid: true",
      start: ready.start,
      coldReason: ready.coldReason,
      startMs: ready.startMs,
      deadlineMs: settings.timeoutMs,
      limits: LIMITS,
    },
  };
}

function requestText(request: Request): string {
  const text = JSON.stringify(request);
  if (Buffer.byteLength(text) > LIMITS.requestMaxBytes) {
    throw new WikiError(
      "invalid-input",
      `The request is larger than ${LIMITS.requestMaxBytes / 1024} KiB. Ask for less.`,
    );
  }
  return text;
}

declare const __VERSION__: string;
