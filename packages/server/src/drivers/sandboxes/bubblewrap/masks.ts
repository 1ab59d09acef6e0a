import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isBelow = (path: string, directory: string) => path.startsWith(directory === '/' ? '/' : `${directory}/`);

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether the sandbox's user can reach a path at all. */
function isReachable(path: string): boolean {
  for (let above = dirname(path); above !== '/'; above = dirname(above))
    if ((statSync(above).mode & 0o001) === 0) return false;
  return true;
}

/**
 * Arguments that mount something empty over the hidden paths that lie below the shown directories. Links are resolved
 * first: a path has many names, and is covered where it lies.
 */
export function maskArguments(hidden: readonly string[], shown: readonly string[], othersOnly: boolean): string[] {
  const roots = shown.flatMap((path) => realPath(path) ?? []);
  const found = new Set(hidden.flatMap((path) => realPath(path) ?? []));
  const visible = [...found].filter((path) => roots.some((root) => isBelow(path, root)));
  // A path inside of another is covered with it.
  const outermost = visible.filter((path) => !visible.some((other) => isBelow(path, other)));
  return outermost
    .filter((path) => !othersOnly || isReachable(path))
    .flatMap((path) =>
      lstatSync(path).isDirectory()
        ? ['--perms', '0755', '--tmpfs', path, '--remount-ro', path]
        : ['--ro-bind', '/dev/null', path],
    );
}
