// A WebAssembly side module that carries JavaScript text, as Emscripten's linker makes them: loading it by the dynamic
// linker evaluates the text. Written down by hand, so that no binary lies in the repository.

const SCRIPT = "(void)<::>{ globalThis.__sideModule = 6 * 7; }\0";

export function sideModule(): Uint8Array {
  const script = [...Buffer.from(SCRIPT)];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    // How much memory it wants: `script.length` bytes, aligned to 1; no table.
    ...section(0, [...name("dylink.0"), 1, ...sized([...leb(script.length), 0, 0, 0])]),
    ...section(2, [
      2,
      ...name("env"),
      ...name("memory"),
      ...[0x02, 0x00, 0x00],
      ...name("env"),
      ...name("__memory_base"),
      ...[0x03, 0x7f, 0x00],
    ]),
    ...section(6, [1, 0x7f, 0x00, 0x41, 0x00, 0x0b]), // an i32 of 0: the text's place, from the memory base on
    ...section(7, [1, ...name("__em_js__probe"), 0x03, 0x01]),
    ...section(11, [1, 0x00, 0x23, 0x00, 0x0b, ...sized(script)]),
  ]);
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: number[]): number[] {
  return [...leb(content.length), ...content];
}

function name(text: string): number[] {
  return sized([...Buffer.from(text)]);
}

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)];
}
