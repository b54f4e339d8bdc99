// Bounded collecting of what Python prints: cut where it is made, so that a flood never grows anywhere.

export class BoundedOutput {
  #chunks: Uint8Array[] = [];
  #room: number;

  constructor(readonly maxBytes: number) {
    this.#room = maxBytes;
  }

  write(bytes: Uint8Array): void {
    if (this.#room <= 0) return;
    const kept = bytes.subarray(0, this.#room);
    this.#chunks.push(kept);
    this.#room -= kept.length;
  }

  /** What fitted, without half a character at the end, and starts anew. */
  take(): string {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
    this.#chunks = [];
    this.#room = this.maxBytes;
    return text;
  }
}
