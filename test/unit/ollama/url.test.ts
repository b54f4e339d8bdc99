import { describe, expect, it } from "vitest";
import { ollamaSettings } from "../../../src/ollama/settings.ts";
import { checkOllamaUrl } from "../../../src/ollama/url.ts";

const ACCEPTED: [url: string, port: number, path: string, ips: string[]][] = [
  ["http://localhost:11434", 11434, "", ["127.0.0.1", "::1"]],
  ["http://localhost", 80, "", ["127.0.0.1", "::1"]],
  ["http://localhost:11434/", 11434, "", ["127.0.0.1", "::1"]],
  ["http://LOCALHOST:11434", 11434, "", ["127.0.0.1", "::1"]],
  ["HTTP://localhost:11434", 11434, "", ["127.0.0.1", "::1"]],
  ["http://127.0.0.1:11434", 11434, "", ["127.0.0.1"]],
  ["http://127.0.0.1:11434/ollama", 11434, "/ollama", ["127.0.0.1"]],
  ["http://127.255.255.254:1", 1, "", ["127.255.255.254"]],
  ["http://[::1]:11434", 11434, "", ["::1"]],
  ["http://127.0.0.1:65535", 65535, "", ["127.0.0.1"]],
];

// The second column says what is wrong, or what a lenient reader would make of it.
const REFUSED: [url: unknown, why: string][] = [
  ["http://2130706433:11434", "decimal IPv4"],
  ["http://0x7f000001", "hexadecimal IPv4"],
  ["http://0x7f.0.0.1", "hexadecimal octet"],
  ["http://0177.0.0.1", "octal octet"],
  ["http://127.1", "short IPv4"],
  ["http://127.0.1", "short IPv4"],
  ["http://127.000.000.001", "padded octets"],
  ["http://127.0.0.256", "octet out of range"],
  ["http://127.0.0.1.", "trailing dot"],
  ["http://127.0.0.1.nip.io", "wildcard DNS"],
  ["http://127.0.0.1.example.com", "a name that begins like an address"],
  ["http://017700000001", "octal IPv4"],
  ["http://[::ffff:127.0.0.1]", "IPv4 inside IPv6"],
  ["http://[::ffff:8.8.8.8]", "another machine inside IPv6"],
  ["http://[::ffff:7f00:1]", "IPv4 inside IPv6, hexadecimal"],
  ["http://[::127.0.0.1]", "IPv4-compatible"],
  ["http://[0:0:0:0:0:0:0:1]", "long form of ::1"],
  ["http://[::01]", "padded ::1"],
  ["http://[::1%25lo]", "zone"],
  ["http://[::1%lo]", "zone"],
  ["http://[::]", "every address"],
  ["http://[64:ff9b::7f00:1]", "NAT64"],
  ["http://::1", "no brackets"],
  ["http://[::1", "open bracket"],
  ["http://[::1].evil.com", "suffix after the bracket"],
  ["http://[fe80::1]", "link-local"],
  ["http://0.0.0.0:11434", "every address, as OLLAMA_HOST has it on servers"],
  ["http://0", "0 is 0.0.0.0"],
  ["http://0.0.0.0", "every address"],
  ["http://128.0.0.1", "next to the loopback range"],
  ["http://10.0.0.1", "private network"],
  ["http://192.168.1.2", "private network"],
  ["http://169.254.169.254", "cloud metadata"],
  ["http://host.docker.internal:11434", "another machine's name"],
  ["http://100.64.0.1", "carrier network"],
  ["http://localhost.", "trailing dot"],
  ["http://localhost.:11434", "trailing dot"],
  ["http://localhost.evil.com", "a name that begins with localhost"],
  ["http://localhost.localdomain", "a resolver decides"],
  ["http://foo.localhost", "a resolver decides"],
  ["http://ip6-localhost", "a resolver decides"],
  ["http://localhost-evil.com", "a name that begins with localhost"],
  ["http://evil.com/localhost", "localhost in the path"],
  ["http://evil.com:80#@localhost", "localhost in the fragment"],
  ["http://localhost@evil.com", "localhost as the user"],
  ["http://evil.com@localhost", "credentials"],
  ["http://user:pw@localhost:11434", "credentials"],
  ["http://@localhost", "empty credentials"],
  ["http://:@localhost", "empty credentials"],
  ["http://localhost:80@evil.com", "localhost as the user"],
  ["http://127.0.0.1:11434:80", "two ports"],
  ["http://localhost:0", "port 0"],
  ["http://localhost:65536", "port out of range"],
  ["http://localhost:99999", "port out of range"],
  ["http://localhost:", "empty port"],
  ["http://localhost:080", "padded port"],
  ["http://localhost:-1", "negative port"],
  ["http://localhost:1e3", "port in floating point"],
  ["http://localhost:１１４３４", "full-width digits in the port"],
  ["http://１２７.０.０.１", "full-width digits, which IDNA takes for 127.0.0.1"],
  ["http://127。0。0。1", "ideographic full stop"],
  ["http://ⓛocalhost", "circled letter, which IDNA takes for localhost"],
  ["http://lоcalhost", "Cyrillic о"],
  ["http://xn--lcalhost-3ig", "punycode"],
  ["http://ＬＯＣＡＬＨＯＳＴ", "full width"],
  ["http://loc\u00adalhost", "soft hyphen"],
  ["http://localhost\u200b", "zero width space"],
  ["http://١٢٧.0.0.1", "Arabic digits"],
  ["http:\\\\localhost", "backslashes"],
  ["http:/\\localhost", "backslash"],
  ["http://localhost\\@evil.com", "backslash before credentials"],
  ["http://evil.com\\@localhost", "backslash before credentials"],
  ["http:localhost", "no slashes"],
  ["http:/localhost", "one slash"],
  ["http:///localhost", "three slashes"],
  ["//localhost", "no scheme"],
  ["localhost:11434", "no scheme"],
  ["127.0.0.1", "no scheme"],
  ["", "empty"],
  [" http://localhost", "leading space"],
  ["http://localhost ", "trailing space"],
  ["http://local\thost", "a tab, which URL takes out"],
  ["http://localhost\n", "a line end, which URL takes out"],
  ["http://localhost\r\nHost: evil", "a header"],
  ["http://localhost%00", "zero byte"],
  ["http://localhost%2eevil.com", "percent-encoded dot"],
  ["http://%6cocalhost", "percent-encoded letter"],
  ["http://127.0.0.1%2f@evil.com", "percent-encoded slash"],
  ["http://localhost:11434%2f", "percent-encoded slash"],
  ["https://localhost:11434", "https"],
  ["ftp://localhost", "another scheme"],
  ["file:///etc/passwd", "another scheme"],
  ["file://localhost/etc/passwd", "another scheme"],
  ["unix:/run/ollama.sock", "another scheme"],
  ["http+unix://x", "another scheme"],
  ["ws://localhost", "another scheme"],
  ["data:,x", "another scheme"],
  ["javascript:1", "another scheme"],
  ["blob:http://localhost/x", "another scheme"],
  ["http://localhost:11434?x=1", "query"],
  ["http://localhost:11434/?", "empty query"],
  ["http://localhost:11434/#f", "fragment"],
  ["http://localhost:11434/#", "empty fragment"],
  ["http://localhost:11434/..", "dot segment"],
  ["http://localhost:11434/a/../b", "dot segment"],
  ["http://localhost:11434/%2e%2e/", "percent-encoded dot segment"],
  ["http://localhost:11434//evil.com/", "double slash"],
  ["http://localhost:11434/a;b", "path parameter"],
  [`http://localhost/${"a".repeat(300)}`, "too long"],
  [null, "not a text"],
  [undefined, "not a text"],
  [{ toString: () => "http://localhost" }, "an object that reads as an address"],
  [["http://localhost"], "a list that reads as an address"],
  [new URL("http://localhost"), "an object, even the platform's own"],
];

describe("the address of Ollama", () => {
  it.each(ACCEPTED)("accepts %s", (url, port, path, ips) => {
    const verdict = checkOllamaUrl(url);
    expect(verdict).toMatchObject({ ok: true, address: { port, path, ips } });
  });

  it.each(REFUSED)("refuses %j: %s", (url) => {
    const verdict = checkOllamaUrl(url);
    expect(verdict.ok).toBe(false);
  });

  it("completes the sentence 'the address …' with each reason", () => {
    for (const [url] of REFUSED) {
      const verdict = checkOllamaUrl(url);
      expect(verdict.ok ? "" : verdict.reason).toMatch(/^(is|does|holds|names) .+[^.]$/);
    }
  });

  it.each([
    ["0.0.0.0:11434", "http://127.0.0.1:11434"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    [":11435", "http://127.0.0.1:11435"],
    ["localhost", "http://localhost:11434"],
    ["localhost:11434", "http://localhost:11434"],
    ["127.0.0.1", "http://127.0.0.1:11434"],
    ["[::]:11434", "http://127.0.0.1:11434"],
    ["http://0.0.0.0:11434/", "http://127.0.0.1:11434"],
    ["https://localhost:11434", "http://localhost:11434"],
    [" http://localhost:11434 ", "http://localhost:11434"],
  ])("takes %j for %s, and only suggests it", (url, meant) => {
    expect(checkOllamaUrl(url)).toMatchObject({ ok: false, suggestion: meant });
  });

  it.each(["http://evil.com:11434", "192.168.1.2:11434", "http://user:pw@localhost", "127.0.0.256", "localhost:99999"])(
    "suggests nothing for %s",
    (url) => {
      expect(checkOllamaUrl(url)).not.toHaveProperty("suggestion");
    },
  );
});

describe("the settings of Ollama", () => {
  it("are the defaults in an empty environment", () => {
    expect(ollamaSettings({})).toEqual({ baseUrl: "http://127.0.0.1:11434", model: "qwen3-embedding:4b", hint: "" });
  });

  it("come from pi-wiki's own variables, of which a blank one counts as unset", () => {
    const env = { PI_WIKI_OLLAMA_URL: "http://127.0.0.1:9", PI_WIKI_OLLAMA_MODEL: "bge-m3" };
    expect(ollamaSettings(env)).toMatchObject({ baseUrl: "http://127.0.0.1:9", model: "bge-m3" });
    expect(ollamaSettings({ PI_WIKI_OLLAMA_URL: " ", PI_WIKI_OLLAMA_MODEL: "" })).toEqual(ollamaSettings({}));
  });

  it("never follow OLLAMA_HOST, but say what may have been meant by it", () => {
    const settings = ollamaSettings({ OLLAMA_HOST: "0.0.0.0:11500" });
    expect(settings.baseUrl).toBe("http://127.0.0.1:11434");
    expect(settings.hint).toContain("did you mean PI_WIKI_OLLAMA_URL=http://127.0.0.1:11500?");
  });

  it("say nothing about an OLLAMA_HOST that is the default, remote, or overridden", () => {
    expect(ollamaSettings({ OLLAMA_HOST: "0.0.0.0:11434" }).hint).toBe("");
    expect(ollamaSettings({ OLLAMA_HOST: "192.168.1.2:11434" }).hint).toBe("");
    expect(ollamaSettings({ OLLAMA_HOST: "0.0.0.0:9", PI_WIKI_OLLAMA_URL: "http://127.0.0.1:8" }).hint).toBe("");
  });
});
