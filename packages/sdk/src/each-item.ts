interface Page {
  items: unknown[];
  pages?: number;
  next_cursor?: string | number | null;
}

/** The entries of all pages. An entry that moved to the next page meanwhile is returned once. */
export async function* eachItem(
  load: (place: Record<string, unknown>) => Promise<unknown>,
  page = 1,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<unknown>();
  for (let place: Record<string, unknown> = { page }; ; page++) {
    const { items, pages, next_cursor } = (await load(place)) as Page;
    for (const item of items) {
      const { id } = Object(item) as { id?: unknown };
      if (id !== undefined && seen.has(id)) continue;
      seen.add(id);
      yield item;
    }
    if (pages === undefined ? next_cursor == null : page >= pages) return;
    place = pages === undefined ? { cursor: next_cursor } : { page: page + 1 };
  }
}
