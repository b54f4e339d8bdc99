/** A setting that was really given: a blank override counts as unset. */
export function filled(value: string | null | undefined): string | undefined {
  return value?.trim() ? value : undefined;
}
