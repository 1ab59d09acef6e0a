const atOnce = 4;

/** Does the work for each, so many at a time, and tells of each how it went. */
export async function settled<T, R>(list: readonly T[], work: (item: T, index: number) => Promise<R>) {
  const results: PromiseSettledResult<R>[] = [];
  const waiting = list.entries();
  const worker = async () => {
    for (const [index, item] of waiting)
      [results[index]] = (await Promise.allSettled([work(item, index)])) as [PromiseSettledResult<R>];
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
