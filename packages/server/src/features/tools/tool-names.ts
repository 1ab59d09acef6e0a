import { hash } from 'node:crypto';

/** What every provider takes as the name of a tool. */
const longest = 64;

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_+|_+$/g, '');

/**
 * Names of tools made of names that people chose: `<kind>_<name>…`, in the letters that providers take. One that is too
 * long, or that another has already, ends in a piece of the hash of what it stands for, the same every time.
 */
export function makeToolNames() {
  const taken = new Set<string>();
  return (kind: string, ...parts: string[]): string => {
    const whole = [kind, ...parts.map((part) => plain(part) || 'x')].join('_');
    const marked = (...again: number[]) =>
      `${whole.slice(0, longest - 9)}_${hash('sha256', JSON.stringify([kind, ...parts, ...again])).slice(0, 8)}`;
    let name = whole.length <= longest ? whole : marked();
    if (taken.has(name)) name = marked();
    // Things that are called quite the same are told apart by their order.
    for (let again = 2; taken.has(name); again++) name = marked(again);
    taken.add(name);
    return name;
  };
}
