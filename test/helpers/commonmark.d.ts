// The part of the reference parser's interface that the tests use; the package brings no types.
declare module "commonmark" {
  export interface Node {
    readonly type: string;
    readonly level: number;
    readonly literal: string | null;
    readonly firstChild: Node | null;
    readonly next: Node | null;
    readonly sourcepos: [[number, number], [number, number]];
    walker(): { next(): { entering: boolean; node: Node } | null };
  }
  export class Parser {
    parse(text: string): Node;
  }
}
