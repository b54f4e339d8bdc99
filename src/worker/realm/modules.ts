// WebAssembly in the realm: only modules whose exact bytes the host compiled beforehand exist.

/** The main module is asked for by this stand-in for its bytes, so that 9 MB need not be copied into the realm. */
export const MAIN_STAND_IN = new Uint8Array(1);
const SMALL = 256; // bytes; see scripts/glue-modules.mjs

export interface ModuleTable {
  prototype: object;
  add(hexBytes: string, module: WebAssembly.Module): void;
  setMain(module: WebAssembly.Module): void;
}

export function claimWebAssembly(): ModuleTable {
  const { Module: EngineModule, Instance } = WebAssembly;
  const modules = new Map<string, WebAssembly.Module>();
  let main: WebAssembly.Module | undefined;

  function Module(bytes: unknown): WebAssembly.Module {
    const module = bytes instanceof Uint8Array && bytes.length < SMALL ? modules.get(hex(bytes)) : undefined;
    if (!module) throw new WebAssembly.CompileError("only modules that the host compiled exist here");
    return module;
  }
  Module.prototype = EngineModule.prototype;
  Module.customSections = EngineModule.customSections;
  Module.imports = EngineModule.imports;
  Module.exports = EngineModule.exports;
  (EngineModule.prototype as { constructor: unknown }).constructor = Module;

  const instantiate = async (source: unknown, imports?: WebAssembly.Imports) => {
    if (main && isStandIn(source)) return { module: main, instance: new Instance(main, imports) };
    if (source instanceof EngineModule) return new Instance(source, imports);
    const module = Module(source);
    return { module, instance: new Instance(module, imports) };
  };
  Object.assign(WebAssembly, { Module, instantiate, compile: async (bytes: unknown) => Module(bytes) });
  // No stack switching: one code path and one snapshot for every Node.
  for (const name of [
    "compileStreaming",
    "instantiateStreaming",
    "validate",
    "Suspending",
    "promising",
    "SuspendError",
  ]) {
    delete (WebAssembly as unknown as Record<string, unknown>)[name];
  }
  return {
    prototype: EngineModule.prototype,
    add: (bytes, module) => void modules.set(bytes, module),
    setMain(module) {
      main = module;
    },
  };
}

/** The glue copies the bytes it is given, so the stand-in is known by its length: no module is one byte long. */
function isStandIn(source: unknown): boolean {
  return source instanceof Uint8Array && source.length === MAIN_STAND_IN.length;
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += (byte < 16 ? "0" : "") + byte.toString(16);
  return text;
}
