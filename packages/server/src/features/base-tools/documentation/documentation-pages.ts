import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TextPassage } from '../rank-passages.ts';

export interface DocPage {
  /** The file name without its extension: `settings`. */
  page: string;
  title: string;
  text: string;
}

export interface DocPassage extends TextPassage {
  page: string;
  title: string;
  heading: string;
}

/** The sections of a page, each with its heading. Long tables are split between rows. */
export function sectionsOf({ page, title, text }: DocPage): DocPassage[] {
  const sections: DocPassage[] = [];
  let heading = title;
  let [start, at] = [0, 0];
  const close = () => {
    const content = text.slice(start, at).trim();
    if (content) sections.push({ page, title, heading, content, offset: start });
    start = at;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const found = /^#{1,4}\s+(.+?)\s*$/.exec(line)?.[1];
    if (found !== undefined || at - start + line.length > 1500) close();
    if (found !== undefined) heading = found;
    at += line.length;
  }
  close();
  return sections;
}

/** The project's own pages: the README and `docs`. They are read at the first call. */
export function makeDocumentation(root: string): Documentation {
  async function read(): Promise<DocPage[]> {
    const names = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort();
    const files = [
      ['readme', join(root, 'README.md')],
      ...names.map((name) => [name.slice(0, -3), join(root, 'docs', name)]),
    ];
    return Promise.all(
      files.map(async ([page = '', file = '']) => {
        const text = await readFile(file, 'utf8');
        return { page, title: /^#\s+(.+)$/m.exec(text)?.[1] ?? page, text };
      }),
    );
  }
  let known: Promise<DocPage[]> | undefined;
  return () => {
    known ??= read();
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
}

export type Documentation = () => Promise<DocPage[]>;
