/** What tools of a server at this address are called after, until a person names it: its host, without what all have. */
export function nameOfServer(url: string, taken: readonly string[]): string {
  const host = URL.parse(url)?.hostname.replace(/^(?:www|mcp|api)\./, '') ?? '';
  const isAddress = /^[\d.]+$|:/.test(host);
  const base = (isAddress ? '' : host.split('.')[0])?.replace(/[^\w-]/g, '') || 'server';
  let name = base;
  for (let count = 2; taken.includes(name); count++) name = `${base}-${count}`;
  return name;
}

/** The chosen tools after one is switched; undefined for all of them, also those that come later. */
export function toggleTool(
  chosen: readonly string[] | undefined,
  offered: readonly string[],
  name: string,
  on: boolean,
): string[] | undefined {
  const before = chosen ?? offered;
  const after = on ? [...before.filter((other) => other !== name), name] : before.filter((other) => other !== name);
  return after;
}
