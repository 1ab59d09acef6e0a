export interface Told {
  said: string;
  /** How much of it is the file's own text. */
  used: number;
}

/**
 * What models were told of files lately. A file never changes, and is told again with each message of its conversation:
 * reading a long PDF or the text in an image every time would take longer than the answer.
 */
export function makeFileTextCache(max_chars = 4_000_000) {
  const kept = new Map<string, Told>();
  let size = 0;
  const forget = (key: string) => {
    size -= kept.get(key)?.said.length ?? 0;
    kept.delete(key);
  };
  return {
    get(key: string): Told | undefined {
      const told = kept.get(key);
      if (!told) return undefined;
      // What was asked for last goes last.
      kept.delete(key);
      kept.set(key, told);
      return told;
    },
    keep(key: string, told: Told): void {
      forget(key);
      kept.set(key, told);
      size += told.said.length;
      for (const oldest of kept.keys()) {
        if (size <= max_chars) break;
        forget(oldest);
      }
    },
  };
}
