/** A folder as it is stored and compared: one slash between names and at both ends, no way up. */
export function folderOf(prefix: string): string {
  const names = prefix
    .toWellFormed()
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  return names.length ? `/${names.join('/')}/` : '/';
}

/** Where what is in a folder lies; undefined when its name names nothing below where it stands. */
export function folderPath({ name, prefix }: { name: string; prefix: string }): string | undefined {
  const own = folderOf(name);
  return own === '/' ? undefined : `${folderOf(prefix)}${own.slice(1)}`;
}
