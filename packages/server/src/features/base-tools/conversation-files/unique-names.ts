/** Adds a number before the extension: `report (2).csv`. */
function numbered(name: string, number: number): string {
  const ending = /\.[^.\s]{1,15}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - ending.length)} (${number})${ending}`;
}

/** Makes names unique; the first of several equal names keeps it. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = numbered(name, number);
    taken.add(free);
    return free;
  });
}
