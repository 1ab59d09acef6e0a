/** The path of a folder below the working directory, from the absolute path that a shell prints; undefined outside of it. */
export function relativeTo(root: string, path: string): string | undefined {
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}

/** The folder above; empty at the top. */
export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');
export const lastPart = (path: string): string => path.split('/').at(-1) ?? path;

/** The target of a line that does nothing but change the folder; undefined for any other command. */
export function folderChange(command: string): string | undefined {
  const found = /^\s*cd(?:\s+(?:"([^"$`\\]+)"|'([^']+)'|([^\s;&|<>$`"'\\*?()]+)))?\s*;?\s*$/.exec(command);
  return found ? (found[1] ?? found[2] ?? found[3] ?? '~') : undefined;
}
