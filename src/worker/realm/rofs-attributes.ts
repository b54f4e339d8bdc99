// A file's facts in the shape that Emscripten takes them, without losing what it would lose: 64-bit inodes and the
// nanoseconds of its times.

/** The twelve numbers of the host half: mode, dev, ino, nlink, size, mtimeNs, ctimeNs, atimeNs, uid, gid, rdev, blocks. */
export function attributesFrom(numbers: BigInt64Array) {
  const at = (index: number) => Number(numbers[index]);
  return {
    mode: at(0),
    dev: Number(BigInt.asUintN(32, numbers[1]!)), // Emscripten has 32 bits for it
    ino: BigInt.asUintN(64, numbers[2]!),
    nlink: at(3),
    size: at(4),
    mtime: time(numbers[5]!),
    ctime: time(numbers[6]!),
    atime: time(numbers[7]!),
    uid: at(8),
    gid: at(9),
    rdev: at(10),
    blksize: 4096,
    blocks: at(11),
  };
}

/**
 * Emscripten writes a time as floor(t / 1000) seconds and then (t % 1000) * 1000 * 1000 nanoseconds, which keeps
 * milliseconds only. It asks for the value twice: the first answer serves the seconds, the second the nanoseconds.
 */
function time(nanoseconds: bigint) {
  let seconds = nanoseconds / 1_000_000_000n;
  let rest = nanoseconds % 1_000_000_000n;
  if (rest < 0n) {
    rest += 1_000_000_000n; // before 1970
    seconds -= 1n;
  }
  const first = Number(seconds) * 1000;
  const second = (Number(rest) + 0.25) / 1e6; // a quarter keeps rounding from losing the last nanosecond
  return {
    getTime() {
      let asked = 0;
      return { valueOf: () => (asked++ === 0 ? first : second) };
    },
  };
}
