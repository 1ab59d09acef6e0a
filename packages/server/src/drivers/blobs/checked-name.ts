const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isBlobName = (name: string) => uuid.test(name);

/** The only names that become part of a path or a key; any other name is a bug of the caller. */
export function checkedName(name: string): string {
  if (!isBlobName(name)) throw new Error('A blob is named by UUIDs');
  return name;
}
