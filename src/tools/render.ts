// Readable text out of answers, for a terminal: the building blocks that the tools' wordings share.

/**
 * Text of a page made safe to print: a terminal obeys escape sequences, and a page may hold some. Control characters
 * become their visible pictures (ESC is shown as ␛); line ends and tabs stay.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
  return text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, picture);
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : "�";
}

/** The same on one line, for titles, paths and messages. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** 12034 as 12,034: always the same, whatever the machine's language. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

export function size(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

export function indented(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");
}

/** Facts as lines, the names in one column: `index   .vault-meta/retrieval/bm25.json`. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}
