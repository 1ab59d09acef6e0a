import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a server has started, by their numbers. */
export function childrenOf(parent: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ');
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const at = words.indexOf('process');
      if (Number(stat?.[1]) === parent && stat?.[0] !== 'Z' && at > 0) found.set(Number(words[at + 1]), Number(name));
    } catch {
      // It has just ended.
    }
  return found;
}

export const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
