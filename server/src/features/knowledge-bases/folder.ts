/** A folder as it is stored and compared: one slash between names and at both ends, no way up. */
export function folderOf(prefix: string): string {
  const names = prefix
    .toWellFormed()
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  return names.length ? `/${names.join('/')}/` : '/';
}
