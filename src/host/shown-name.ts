// How a name is shown to people: whole, on one line, with everything that could mislead made visible. The same rules
// as `py/wiki/display.py`.

// Persian words and emoji families are written with U+200C and U+200D, which hide nothing and move nothing.
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name longer than `most` code points is shortened in the middle: its beginning and its end tell most. */
export function shownName(name: string, most = 200): string {
  const characters = [...name];
  const head = Math.floor((most - 1) / 2);
  const short =
    characters.length <= most
      ? name
      : [...characters.slice(0, head), "…", ...characters.slice(characters.length - (most - 1 - head))].join("");
  return short.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0)!;
    return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  });
}

/** The name between quotation marks, for a sentence. */
export function quoted(name: string): string {
  return `"${shownName(name)}"`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
