/** Runs at most `most` calls at once; further calls wait in order. */
export function makeLimiter(most: number) {
  const line: (() => void)[] = [];
  let taken = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (taken >= most) await new Promise<void>((resolve) => line.push(resolve));
    else taken++;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else taken--;
    }
  };
}
