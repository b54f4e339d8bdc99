// What a user could pick instead, in this process: MiniSearch, and SQLite's FTS5 as Node ships it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";

export function makeRivals(vault) {
  const files = readdirSync(join(vault, "wiki"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  const text = (name) => readFileSync(join(vault, "wiki", name), "utf8");
  let mini;
  let database;
  let found;
  return {
    MiniSearch: {
      build() {
        mini = new MiniSearch({ fields: ["text"] });
        mini.addAll(files.map((name, id) => ({ id, text: text(name) })));
      },
      search: (query) => mini.search(query).slice(0, 10),
    },
    "SQLite FTS5 (node:sqlite, contentless)": {
      build() {
        database = new DatabaseSync(":memory:");
        database.exec("create virtual table pages using fts5(text, content='')");
        const add = database.prepare("insert into pages(rowid, text) values (?, ?)");
        database.exec("begin");
        for (const [id, name] of files.entries()) add.run(id + 1, text(name));
        database.exec("commit");
        found = database.prepare(
          "select rowid, bm25(pages) as score from pages where pages match ? order by score limit 10",
        );
      },
      search: (query) =>
        found.all(
          query
            .split(" ")
            .map((word) => `"${word}"`)
            .join(" OR "),
        ),
    },
  };
}
