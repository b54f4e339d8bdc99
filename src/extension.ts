// Pi: registers the tools, warms a sandbox when a session starts, and closes everything when it ends.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { openWiki, type Wiki } from "./index.ts";
import { definition } from "./pi/definition.ts";
import { TOOLS } from "./tools/catalog.ts";

export default function wikiTools(pi: ExtensionAPI): void {
  // Nothing starts here: Pi also runs this function where no session follows.
  let wiki: Wiki | null = null;
  const open = (cwd: string): Wiki => {
    wiki ??= openWiki({ cwd, warm: true });
    return wiki;
  };

  for (const tool of TOOLS) pi.registerTool(definition(tool, open));

  pi.on("session_start", (_event, ctx) => {
    open(ctx.cwd);
  });
  pi.on("session_shutdown", async () => {
    const closing = wiki;
    wiki = null;
    await closing?.close();
  });
}
