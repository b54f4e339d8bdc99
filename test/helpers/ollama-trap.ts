// Ollama's own port, for as long as tests run: nothing but a hybrid search, `index --semantic` and `doctor --probe` may
// ever contact it, and tests of those use another port. Whatever comes here came without being asked for, and fails the run.
import { createServer, type Server } from "node:net";

const PORT = 11434;

/** Vitest calls this once before all tests, and what it gives once after them. */
export default async function trapOllamaPort(): Promise<() => Promise<void>> {
  const caught: string[] = [];
  const traps = await Promise.all(["127.0.0.1", "::1"].map((host) => trapAt(host, caught)));
  return async () => {
    for (const trap of traps) trap?.close();
    if (caught.length === 0) return;
    const advice = "Give the test another address; if it was another program that looks for Ollama, end that.";
    throw new Error(`Ollama's port was contacted while tests ran: ${caught.join("; ")}. ${advice}`);
  };
}

/** Null where no trap can be set: this machine has no such address, or a real Ollama listens there. */
function trapAt(host: string, caught: string[]): Promise<Server | null> {
  const trap = createServer((socket) => {
    const at = caught.push(`${host}: nothing said`) - 1;
    socket.on("error", () => {});
    socket.on("data", (said) => {
      caught[at] = `${host}: ${JSON.stringify(said.toString("latin1").split("\r\n")[0])}`;
      socket.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    trap.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") return resolve(null);
      // On a machine that only runs tests nothing may take the trap's place.
      if (error.code !== "EADDRINUSE" || process.env.CI) return reject(error);
      console.warn(`${host}:${PORT} is in use, so this run cannot tell whether a test contacts it.`);
      resolve(null);
    });
    trap.listen(PORT, host, () => resolve(trap));
  });
}
