// The few settings of Git that decide what is ignored, out of a configuration file's text. Pure. Files that a
// configuration includes are not looked at.

export interface GitSettings {
  excludesFile?: string;
  ignoreCase?: boolean;
  objectFormat?: string;
}

/** Later values win over earlier ones, as in Git. */
export function parseGitSettings(text: string): GitSettings {
  const settings: GitSettings = {};
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const heading = /^\s*\[([^\]"]*?)\s*("(?:[^"\\]|\\.)*")?\]\s*/.exec(line);
    if (heading) section = heading[2] === undefined ? heading[1]!.toLowerCase() : "";
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(heading ? line.slice(heading[0].length) : line);
    if (!setting) continue;
    const value = setting[2] === undefined ? "true" : plainValue(setting[2]);
    switch (`${section}.${setting[1]!.toLowerCase()}`) {
      case "core.excludesfile":
        settings.excludesFile = value;
        break;
      case "core.ignorecase":
        settings.ignoreCase = /^(true|yes|on|[1-9]\d*)$/i.test(value);
        break;
      case "extensions.objectformat":
        settings.objectFormat = value.toLowerCase();
        break;
    }
  }
  return settings;
}

/** A value without quotation marks, escapes, a comment and the blanks around it. */
function plainValue(written: string): string {
  let value = "";
  let quoted = false;
  let kept = 0; // length up to the last character that is no blank outside quotation marks
  for (let i = 0; i < written.length; i++) {
    const character = written[i]!;
    if (character === '"') {
      quoted = !quoted;
      continue;
    }
    if (!quoted && (character === "#" || character === ";")) break;
    if (character === "\\") {
      const escaped = written[++i] ?? "";
      value += { n: "\n", t: "\t", b: "\b" }[escaped] ?? escaped;
    } else {
      value += character;
      if (!quoted && (character === " " || character === "\t")) continue;
    }
    kept = value.length;
  }
  return value.slice(0, kept);
}
