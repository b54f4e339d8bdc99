// The other realm's arrays, seen by this realm's own getters: what an array is, not what it claims to be. (An array whose
// `length` lies ends the whole process in Node's random numbers, with an assertion in C++.)

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const slot = (name: string) => Object.getOwnPropertyDescriptor(typedArray, name)!.get!;
const [bufferOf, offsetOf, lengthOf] = [slot("buffer"), slot("byteOffset"), slot("byteLength")];

/** The bytes of a typed array as an array of this realm over the same memory; null for anything else. */
export function bytesOf(value: unknown): Uint8Array | null {
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return null;
  try {
    return new Uint8Array(
      Reflect.apply(bufferOf, value, []),
      Reflect.apply(offsetOf, value, []),
      Reflect.apply(lengthOf, value, []),
    );
  } catch {
    return null; // a DataView of the other realm, or memory that is gone
  }
}
