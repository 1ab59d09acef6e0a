/** A file of a reply, which a tool made for the writer. */
export interface ReplyFile {
  id: string;
  name: string;
  type: string;
  size: number;
}

/** What a channel takes of the files of one reply. */
export interface Carries {
  each: number;
  total: number;
  types?: RegExp;
}

/** The files that are sent, and those that are only named. Deterministic: a repeated attempt sends the same files. */
export function carried(files: readonly ReplyFile[], { each, total, types }: Carries) {
  const [along, named]: [ReplyFile[], ReplyFile[]] = [[], []];
  let size = 0;
  for (const file of files) {
    const fits = file.size <= each && size + file.size <= total && (types?.test(file.type) ?? true);
    if (fits) size += file.size;
    (fits ? along : named).push(file);
  }
  return { along, named };
}
