// Where the package lies: everything is found from the bundle's own place, whatever folder it was installed in.

/** The folder that holds `dist/`, `py/` and `wasm-assets/`; every entry point is bundled into `dist/`. */
export const PACKAGE_ROOT = new URL("../", import.meta.url);
