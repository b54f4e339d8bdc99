// Lines of one colour each, wrapped to the terminal. Our own small component, because Pi's packages are peers of which
// the bundle takes types alone.
import type { Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";

export type Component = ReturnType<NonNullable<ToolDefinition["renderCall"]>>;

export interface Row {
  color: Parameters<Theme["fg"]>[0];
  /** Plain: an escape sequence in it would be counted as columns, and could be cut in half. */
  text: string;
}

/** From here on characters may be two columns wide; below, none is. */
const FIRST_WIDE = 0x1100;

export function rows(content: readonly Row[], theme: Theme): Component {
  let drawn: { width: number; lines: string[] } | null = null;
  return {
    render(width) {
      if (drawn?.width !== width) {
        // Pi resets colours at each line's end, so every wrapped piece is coloured anew.
        const lines = content.flatMap(({ color, text }) => wrapped(text, width).map((line) => theme.fg(color, line)));
        drawn = { width, lines };
      }
      return drawn.lines;
    },
    invalidate() {
      drawn = null;
    },
  };
}

/** `text` in pieces of at most `width` columns, cut at spaces where there are any. */
export function wrapped(text: string, width: number): string[] {
  return text
    .replaceAll("\t", "   ")
    .split("\n")
    .flatMap((line) => wrappedLine(line, Math.max(2, width)));
}

function wrappedLine(line: string, width: number): string[] {
  const found = /^ */.exec(line)![0];
  const indent = found.length < width / 2 ? found : ""; // what goes on stands under what it belongs to
  const pieces: string[] = [];
  let piece = "";
  let taken = 0;
  let space = -1;
  for (const character of line) {
    if (taken + columns(character) > width) {
      const cut = character !== " " && space > indent.length ? space : piece.length;
      pieces.push(piece.slice(0, cut));
      piece = indent + piece.slice(cut).trimStart();
      taken = [...piece].reduce((sum, one) => sum + columns(one), 0);
      space = -1;
      if (character === " ") continue; // the line's end stands for it
    }
    if (character === " ") space = piece.length;
    piece += character;
    taken += columns(character);
  }
  return [...pieces, piece];
}

/** Never less than the columns a terminal uses: a line that is too wide breaks the screen, a short one does not. */
function columns(character: string): number {
  return character.codePointAt(0)! < FIRST_WIDE ? 1 : 2;
}
