/** A file of a reply: what a tool made for whoever asked. */
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

/** Those that go along, and those that can only be named. The same each time it is asked: what is sent goes by it. */
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
