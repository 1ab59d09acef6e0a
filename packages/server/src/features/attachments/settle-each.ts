const concurrency = 4;

/** Does the work for each item, four at a time, and returns how each went. */
export async function settleEach<T, R>(list: readonly T[], work: (item: T, index: number) => Promise<R>) {
  const results: PromiseSettledResult<R>[] = [];
  const waiting = list.entries();
  const worker = async () => {
    for (const [index, item] of waiting) [results[index]] = await Promise.allSettled([work(item, index)]);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
