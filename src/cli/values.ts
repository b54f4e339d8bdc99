// Values of options as typed: each check says the bounds, and a value outside them is wrong usage.
import { InvalidArgumentError } from "commander";

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): (typed: string) => number {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  return (typed) => {
    const value = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`It is a whole number, ${bounds}.`);
    return value;
  };
}

/** Seconds, fractions allowed, as milliseconds. */
export function milliseconds(least: number, most: number): (typed: string) => number {
  return (typed) => {
    const value = /^\d+(\.\d+)?$/.test(typed) ? Math.round(Number(typed) * 1000) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`It is a number of seconds, ${least / 1000} to ${most / 1000}.`);
    return value;
  };
}

export function oneOf(...choices: readonly string[]): (typed: string) => string {
  return (typed) => {
    if (!choices.includes(typed)) throw new InvalidArgumentError(`It is one of ${choices.join(", ")}.`);
    return typed;
  };
}

export function repeated(typed: string, before: string[] = []): string[] {
  return [...before, typed];
}
