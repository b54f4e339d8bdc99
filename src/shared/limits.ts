/** Every number that limits something, with its unit and its reason. */
export const LIMITS = {
  callDeadlineMs: 30_000, // what agents wait for; a cold index fits
  callDeadlineMinMs: 1_000, // below this not even a cold start fits
  callDeadlineMaxMs: 600_000, // the first index of a very large vault
  responseMaxBytes: 256 * 1024, // one message across the boundary
  requestMaxBytes: 1024 * 1024, // one request: a query and the host's facts, never a page
  stderrMaxBytes: 8 * 1024, // enough for a Python traceback
  modelJsonMaxBytes: 64 * 1024, // what a model is shown of one answer
  queryMaxChars: 4_000,
  readMaxChars: 12_000, // one page of reading, about 3,000 tokens
  outlineMax: 100,
  outlineDefault: 10,
  resultsMax: 100,
  resultsDefault: 10,
  messageMaxChars: 500, // an error is a sentence, not a page
  sandboxesAlive: 2, // a sandbox costs about 100 MB
  sandboxIdleMs: 5 * 60_000, // an agent thinks for minutes, not for hours
  interruptGraceMs: 300, // Python loops stop at once; C code that ignores an interrupt is ended
  tidyMaxMs: 1_000, // looking for what a request left takes some 20 ms; a sandbox that cannot say is replaced
  bootDeadlineMs: 20_000, // a damaged WebAssembly file makes loading hang, not fail
  pageMaxBytes: 16 * 1024 * 1024, // a page is text that somebody reads
  embedDeadlineMs: 8_000, // a local model that is awake answers in a second
  embedBuildMs: 55_000, // of one batch while an index is built: on a processor alone, with a large model still to load
  embedRequestMaxBytes: 1024 * 1024,
  embedResponseMaxBytes: 8 * 1024 * 1024, // 64 vectors of 4,096 numbers as JSON text
} as const satisfies Record<string, number>;
