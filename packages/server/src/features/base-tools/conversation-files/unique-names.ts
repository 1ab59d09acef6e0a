/** The same name with a number before its ending: `report (2).csv`. */
function numbered(name: string, number: number): string {
  const ending = /\.[^.\s]{1,15}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - ending.length)} (${number})${ending}`;
}

/** Names by which each can be called: the first of several with one name keeps it. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = numbered(name, number);
    taken.add(free);
    return free;
  });
}
