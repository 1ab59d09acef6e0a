import { readdirSync } from 'node:fs';
import { readSentences } from '../../safety-eval/sentences.ts';

/** Ordinary sentences of this many characters: those by which the search for personal data is measured. */
export function proseOf(length: number): string {
  const folders = readdirSync(new URL('../../safety-eval/', import.meta.url));
  const sets = folders.filter((folder) => /^(?:sentences|things|people)[a-z-]*$/.test(folder)).sort();
  const all = sets.flatMap((set) => readSentences(set).map(({ text }) => text)).join(' ');
  return all.repeat(Math.ceil(length / all.length)).slice(0, length);
}
