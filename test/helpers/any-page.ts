// Pages that nobody would write: pieces of Markdown that mean something, text of any kind, and bytes that are no text.
import fc from "fast-check";

const PIECES =
  "# |## |#|###### |####### |a|b c|é|日本|😀|\t| |  |    |- |* |+ |1. |2) |> |```|````|~~~|~~|`|---|===|-|=|* * *|<!--|-->|<div>|</div>|<pre>|</pre>|<b>|<del>|</del>|<?|?>|%%|[a]: b|'t'| ##|\\|\\#|[!outdated]|> [!outdated]\n|## Old (superseded)\n|status: outdated\n|\u2028|\ufeff|\0|\u0301";
const LINE_ENDS = ["\n", "\n", "\n", "\n\n", "\r\n", "\r", "\r\n\r\n", "\n \n"];
const HEADS = ["", "", "\ufeff", "---\ntitle: x\n---\n", "\ufeff---\r\na: b\r\n---\r\n", "---\n", "---\na: [\n---\n"];

export const anyPage: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom(...HEADS),
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...PIECES.split("|")) },
        { weight: 4, arbitrary: fc.constantFrom(...LINE_ENDS) },
        { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5 }) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
      ),
      { maxLength: 30 },
    ),
  )
  .map(([head, parts]) => Buffer.concat([head, ...parts].map((part) => Buffer.from(part as string))));
