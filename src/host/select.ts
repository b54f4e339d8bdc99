// Which vault a call is about: the tool's input, else the environment's, else the configuration's. The same rules as
// `py/wiki/config.py`; both are held to fixtures/selection.json. Everything it looks at is passed in.
import { WikiError } from "../shared/errors.ts";
import { filled } from "../shared/filled.ts";
import {
  type ConfigReport,
  type Configuration,
  configurationPath,
  type ReadFile,
  readConfiguration,
  readFromDisk,
  reportOf,
  wikiFolder,
} from "./configuration.ts";
import { absolute, expanded, isAbsolute, isTooWide, missingHint, type Place } from "./locations.ts";
import { quoted, shownName } from "./shown-name.ts";

export interface Around {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  platform: NodeJS.Platform;
  /** What the library's or the command line's user chose; `vault` may be relative to `cwd`. */
  vault?: string | undefined;
  config?: string | undefined;
  wikiPath?: string | undefined;
  readFile?: ReadFile;
}

export interface Selection {
  /** Absolute and normal; null when none is selected, and then `error` says why. */
  vault: string | null;
  source: "input" | "environment" | "configuration" | null;
  /** The vault-relative folder of the pages, with `/`; `.` for the whole vault. */
  wiki: string;
  error: WikiError | null;
  /** Why a folder of this name may be missing; empty when nothing is known. */
  hint: string;
  /** Doctor's part about the configuration, which is looked at for doctor in every case; null for others. */
  config: ConfigReport | null;
}

/** What the configuration says about words, for search; nothing where there is none or it is malformed. Never rejects. */
export async function configuredSynonyms(query: Around): Promise<string[][]> {
  const place: Place = { windows: query.platform === "win32", cwd: query.cwd, home: query.home };
  try {
    const path = configurationPath(filled(query.config) ?? filled(query.env.OBSIDIAN_AGENT_CONFIG), place);
    return (await readConfiguration(path, query.readFile ?? readFromDisk, place)).synonyms;
  } catch {
    return []; // whether the path is one is for the selection to say
  }
}

/** Never rejects. The configuration is opened only where something may come from it, and by doctor. */
export async function selectVault(
  query: Around & { operation: string /** The tool's own `vault`. */; input: unknown },
): Promise<Selection> {
  const place: Place = { windows: query.platform === "win32", cwd: query.cwd, home: query.home };
  let configuration: Configuration | undefined;
  const configured = async () => {
    const named = filled(query.config) ?? filled(query.env.OBSIDIAN_AGENT_CONFIG);
    configuration ??= await readConfiguration(configurationPath(named, place), query.readFile ?? readFromDisk, place);
    return configuration;
  };
  let config: ConfigReport | null = null;
  if (query.operation === "doctor") {
    try {
      config = reportOf(await configured());
    } catch (error) {
      config = { path: null, exists: false, valid: false, error: asWikiError(error).message };
    }
  }
  try {
    const selected = await select(query, place, configured);
    return { ...selected, error: null, hint: missingHint(selected.vault), config };
  } catch (error) {
    return { vault: null, source: null, wiki: DEFAULT_WIKI, error: asWikiError(error), hint: "", config };
  }
}

export const DEFAULT_WIKI = "wiki";

interface Selected {
  vault: string;
  source: "input" | "environment" | "configuration";
  wiki: string;
}

async function select(
  { env, input, vault, wikiPath }: Parameters<typeof selectVault>[0],
  place: Place,
  configured: () => Promise<Configuration>,
): Promise<Selected> {
  const folder = folderFrom(wikiPath, "--wiki-path", place) ?? folderFrom(env.PI_WIKI_PATH, "PI_WIKI_PATH", place);
  if (input !== undefined && input !== null && typeof input !== "string") {
    throw new WikiError("invalid-input", '"vault" must be a text, the absolute path of the vault.');
  }
  const asked = filled(input);
  if (asked !== undefined) {
    if (!isAbsolute(expanded(asked, place), place.windows)) {
      throw new WikiError("invalid-input", `The vault ${quoted(asked)} is not an absolute path. ${ABSOLUTE_HINT}`);
    }
    return selected(asked, "input", folder, place);
  }
  const chosen = filled(vault);
  if (chosen !== undefined) return selected(chosen, "input", folder, place);
  const named = filled(env.OBSIDIAN_VAULT_PATH);
  if (named !== undefined) {
    return selected(named, "environment", folder ?? (await configured()).wikiPath ?? undefined, place);
  }
  const { path, exists, error, vaultPath, wikiPath: wiki } = await configured();
  if (error !== null) throw new WikiError("config-invalid", error);
  if (vaultPath === null) {
    throw new WikiError(
      "no-vault",
      "No vault is selected. Pass vault, set OBSIDIAN_VAULT_PATH, or put vaultPath into " +
        `${shownName(path)}${exists ? "" : ", which does not exist"}.`,
    );
  }
  return selected(vaultPath, "configuration", folder ?? wiki ?? undefined, place);
}

const ABSOLUTE_HINT = "Give the whole path from the root, or leave vault out to use the selected one.";

function folderFrom(value: string | undefined, namedBy: string, place: Place): string | undefined {
  const given = filled(value);
  return given === undefined ? undefined : wikiFolder(given, namedBy, place);
}

function selected(vault: string, source: Selected["source"], folder: string | undefined, place: Place): Selected {
  const wiki = folder ?? DEFAULT_WIKI;
  const code = source === "configuration" ? "config-invalid" : "invalid-input";
  const path = absolute(vault, place);
  if (typeof path !== "string") throw new WikiError(code, `The vault ${quoted(vault)} ${path.problem}.`);
  if (wiki === "." && isTooWide(path, place)) {
    throw new WikiError(
      code,
      `The vault ${quoted(path)} is a whole disk or home folder. Name the folder that holds the wiki.`,
    );
  }
  return { vault: path, source, wiki };
}

function asWikiError(error: unknown): WikiError {
  if (error instanceof WikiError) return error;
  throw error;
}
