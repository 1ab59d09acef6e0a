/** The stored form of a folder: one slash between names and at both ends, without `.` and `..`. */
export function normalizeFolder(prefix: string): string {
  const names = prefix
    .toWellFormed()
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  return names.length ? `/${names.join('/')}/` : '/';
}

/** The path of a folder's content; undefined when the folder has no usable name. */
export function folderPath({ name, prefix }: { name: string; prefix: string }): string | undefined {
  const own = normalizeFolder(name);
  return own === '/' ? undefined : `${normalizeFolder(prefix)}${own.slice(1)}`;
}
