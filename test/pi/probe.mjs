// An extension for tests: says how many worker threads the Pi process has, and reloads the extensions.
export default function probe(pi) {
  const threads = () => process.report.getReport().workers.length;
  pi.registerCommand("threads", {
    description: "How many worker threads there are",
    handler: async (_args, ctx) => ctx.ui.notify(`threads: ${threads()}`, "info"),
  });
  pi.registerCommand("reload-all", {
    description: "Reload the extensions",
    handler: async (_args, ctx) => ctx.reload(),
  });
}
