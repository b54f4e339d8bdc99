// What can be typed: commands, options with their bounds, and the help that teaches them.
import { Command, CommanderError } from "commander";
import packageFacts from "../../package.json" with { type: "json" };
import type { Operation, Payload } from "../shared/envelope.ts";
import { LIMITS } from "../shared/limits.ts";
import { PER_PAGE_LINES, READ_TOP_MAX } from "../tools/search.ts";
import { EXAMPLES } from "./examples.ts";
import { milliseconds, oneOf, repeated, whole } from "./values.ts";

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** What every command takes, as typed. */
export interface Settings {
  vault?: string;
  config?: string;
  wikiPath?: string;
  timeout?: number;
  json?: boolean;
  isolated?: boolean;
  /** Doctor's alone. */
  probe?: boolean;
}

export type Perform = (operation: Operation, args: Payload, settings: Settings) => Promise<number>;

/** Runs what was typed and gives the exit status. Wrong usage is said on stderr, with the help to ask for. */
export async function runProgram(argv: readonly string[], perform: Perform): Promise<number> {
  let status: number = EXIT.ok;
  const program = describe(async (operation, args, settings) => {
    status = await perform(operation, args, settings);
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
}

type Run = (operation: Operation, args: Payload, settings: Settings) => Promise<void>;

function describe(run: Run): Command {
  const program = new Command("pi-wiki")
    .description("Search and read an Obsidian wiki, in a sandbox that can only read.")
    .version(packageFacts.version)
    .addHelpText("after", EXAMPLES.program)
    .exitOverride()
    .showHelpAfterError("(add --help to see how)");

  const search = program
    .command("search")
    .description("Rank the pages that have these words.")
    .argument(
      "<query...>",
      `the words, at most ${LIMITS.queryMaxChars} characters; after -- they may begin with a dash`,
    )
    .option("--limit <n>", `most results (default ${LIMITS.resultsDefault})`, whole(1, LIMITS.resultsMax))
    .option("--hybrid", "rank by meaning too, with Ollama on this machine")
    .option("--type <type>", "keep pages of this frontmatter type")
    .option("--tag <tag>", "keep pages with this tag, or a tag below it; may be repeated", repeated)
    .option("--include-content", "show the matched section of each result")
    .option("--inline-budget <n>", "most characters of such content in all", whole(0))
    .option("--read-top <n>", "also read the best n pages", whole(1, READ_TOP_MAX))
    .option("--section <heading>", "the heading to read in them: any case, a part is enough")
    .option(
      "--per-page-limit <n>",
      `most lines of each (default ${PER_PAGE_LINES.default})`,
      whole(1, PER_PAGE_LINES.max),
    )
    .option("--include-toc", "list the headings of pages that were cut")
    .addHelpText("after", EXAMPLES.search)
    .action((words: string[], typed: SearchOptions) => run("search", searchArguments(words, typed), typed));

  const outline = program
    .command("outline")
    .description("List the sections of a page, and its hash.")
    .argument("<page>", "the page's path in the vault: wiki/topic/coffee.md")
    .option("--limit <n>", `most sections (default ${LIMITS.outlineDefault})`, whole(1, LIMITS.outlineMax))
    .option("--offset <n>", "sections to leave out at the start; needs --hash", whole(0))
    .option("--hash <hash>", "the page's hash in the first answer")
    .addHelpText("after", EXAMPLES.outline)
    .action((page: string, typed: OutlineOptions, command: Command) => {
      requireVault(typed, command);
      if (typed.offset && typed.hash === undefined)
        command.error("error: --offset needs the --hash of the first answer");
      const { limit, offset, hash } = typed;
      return run("outline", given({ page, limit, offset, expectedHash: hash }), typed);
    });

  const read = program
    .command("read")
    .description("Print a section or a span of a page, to the character.")
    .argument("<page>", "the page's path in the vault")
    .requiredOption("--hash <hash>", "the page's hash, from search or outline")
    .option("--section <section>", "a selector from outline, a heading, or A > B > C")
    .option("--start <n>", "first character, counted from 0", whole(0))
    .option("--end <n>", "character after the last", whole(0))
    .option("--cursor <cursor>", "go on where an answer ended")
    .option("--view <view>", "raw, or current: without what is no longer in force", oneOf("raw", "current"))
    .option("--max-chars <n>", `most characters (default ${LIMITS.readMaxChars})`, whole(1, LIMITS.readMaxChars))
    .addHelpText("after", EXAMPLES.read)
    .action((page: string, typed: ReadOptions, command: Command) => {
      requireVault(typed, command);
      const { hash, section, start, end, cursor, view, maxChars } = typed;
      if ((start === undefined) !== (end === undefined)) command.error("error: --start and --end go together");
      if ([section, start, cursor].filter((choice) => choice !== undefined).length !== 1)
        command.error("error: give one of --section, --start with --end, or --cursor");
      return run("read", given({ page, expectedHash: hash, section, start, end, cursor, view, maxChars }), typed);
    });

  const doctor = program
    .command("doctor")
    .description("Say what is found and what is wrong. Repairs nothing, and contacts nothing without --probe.")
    .option("--probe", "also ask Ollama on this machine: is it there, with the model that the index was made with?")
    .addHelpText("after", EXAMPLES.doctor)
    .action((typed: Settings) => run("doctor", {}, typed));

  const index = program
    .command("index")
    .description("Write the index file into the vault: the one command that writes.")
    .option("--compat", "write bm25.json, for vaults shared with the Python package")
    .option("--semantic", "also write chunks with embeddings, with Ollama on this machine")
    .addHelpText("after", EXAMPLES.index)
    .action((typed: IndexOptions) => run("index", given({ compat: typed.compat, semantic: typed.semantic }), typed));

  for (const command of [search, outline, read, doctor]) common(command, LIMITS.callDeadlineMs);
  common(index, LIMITS.callDeadlineMaxMs);
  // What writes needs more than a Node that may only read.
  for (const command of [search, outline, read, doctor])
    command.option("--isolated", "run in a Node that may read nothing but this package and the vault");
  return program;
}

interface SearchOptions extends Settings {
  limit?: number;
  hybrid?: boolean;
  type?: string;
  tag?: string[];
  includeContent?: boolean;
  inlineBudget?: number;
  readTop?: number;
  section?: string;
  perPageLimit?: number;
  includeToc?: boolean;
}

interface OutlineOptions extends Settings {
  limit?: number;
  offset?: number;
  hash?: string;
}

interface ReadOptions extends Settings {
  hash: string;
  section?: string;
  start?: number;
  end?: number;
  cursor?: string;
  view?: string;
  maxChars?: number;
}

interface IndexOptions extends Settings {
  compat?: boolean;
  semantic?: boolean;
}

function searchArguments(words: string[], typed: SearchOptions): Payload {
  return given({
    query: words.join(" "),
    limit: typed.limit,
    hybrid: typed.hybrid,
    type: typed.type,
    tags: typed.tag,
    include_content: typed.includeContent,
    inline_budget: typed.inlineBudget,
    read_top_n: typed.readTop,
    section: typed.section,
    per_page_limit: typed.perPageLimit,
    include_toc: typed.includeToc,
  });
}

/** Options of every command. In commander each command has its own way to end. */
function common(command: Command, deadlineMs: number): void {
  command
    .optionsGroup("Options of every command:")
    .option("--vault <dir>", "the vault; relative to the working directory")
    .option("--config <file>", "the configuration that selects the vault")
    .option("--wiki-path <dir>", "the folder of the pages in the vault (default wiki; . for all of it)")
    .option(
      "--timeout <seconds>",
      `most time for the call (default ${deadlineMs / 1000})`,
      milliseconds(LIMITS.callDeadlineMinMs, LIMITS.callDeadlineMaxMs),
    )
    .option("--json", "print the envelope as JSON, and nothing else")
    .exitOverride()
    .showHelpAfterError(`(pi-wiki ${command.name()} --help shows how)`);
}

function requireVault(typed: Settings, command: Command): void {
  if (!typed.vault?.trim()) command.error("error: --vault is needed: this command never looks at a configuration");
}

/** Only what was typed: a default is the sandbox's to fill in. */
function given(args: Payload): Payload {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
