// The part of `--help` that teaches: a task in a sentence, and what to type for it.

export const EXAMPLES = {
  program: `
Examples:
  pi-wiki search tomato blight --vault ~/notes      find pages
  pi-wiki outline wiki/tomatoes.md --vault ~/notes  see a page's sections and its hash
  pi-wiki read wiki/tomatoes.md --vault ~/notes --hash HASH --section Blight
  pi-wiki doctor --vault ~/notes                    ask what is found and what is wrong

Without --vault, search, doctor and index use OBSIDIAN_VAULT_PATH, then vaultPath of the configuration
(OBSIDIAN_AGENT_CONFIG, or ~/.config/obsidian-second-brain/properties.json).

Exit status: 0 for an answer, 1 for a failure, 2 for wrong usage. The answer goes to stdout, all else to stderr.`,

  search: `
Examples:
  pi-wiki search tomato blight                      plain words; there is no query language
  pi-wiki search frost 2026-05                      a date puts dated pages and sections first
  pi-wiki search compost --type guide --tag soil    keep guides tagged soil, or soil/anything
  pi-wiki search fees --include-content --inline-budget 2000
  pi-wiki search pump --read-top 2 --section frost --per-page-limit 40 --include-toc
  pi-wiki search "who may water" --hybrid           by meaning too, with Ollama on this machine
  pi-wiki search --json -- --dry-run                words that begin with a dash`,

  outline: `
Examples:
  pi-wiki outline wiki/tomatoes.md --vault ~/notes
  pi-wiki outline wiki/diary.md --vault ~/notes --limit 100
  pi-wiki outline wiki/diary.md --vault ~/notes --offset 100 --hash HASH    go on`,

  read: `
Examples:
  pi-wiki read wiki/tomatoes.md --vault ~/notes --hash HASH --section Blight
  pi-wiki read wiki/tomatoes.md --vault ~/notes --hash HASH --start 0 --end 500
  pi-wiki read wiki/rules.md --vault ~/notes --hash HASH --section Fees --view current
  pi-wiki read wiki/diary.md --vault ~/notes --hash HASH --cursor CURSOR    go on

The hash comes from search or outline. A page that has changed since is not read: the answer gives its new hash.`,

  doctor: `
Examples:
  pi-wiki doctor                                    which vault is selected, and is it well?
  pi-wiki doctor --vault ~/notes --json
  pi-wiki doctor --probe                            is Ollama there, for search --hybrid?`,

  index: `
Examples:
  pi-wiki index --vault ~/notes                     a fast index, in .vault-meta/retrieval/
  pi-wiki index --vault ~/notes --compat            as bm25.json, which the Python package reads too
  pi-wiki index --vault ~/notes --semantic          with embeddings, for search --hybrid

Search works without it, from an index that it builds in memory. Interrupted, it leaves nothing half-written.`,
} as const;
