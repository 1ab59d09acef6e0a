import type { FormField } from './form-types.ts';

type Searched = Pick<FormField, 'label' | 'key' | 'help' | 'section'>;

/** Whether a word begins with what was typed. */
const begins = (text: string, typed: string) => text.startsWith(typed) || text.includes(` ${typed}`);

/** How well a field fits: its name and key before its heading, its heading before its help. 0: not at all. */
function fit({ label, key, help, section }: Searched, words: readonly string[]): number {
  const [name = '', heading = '', text = ''] = [label, section, help].map((part) => part.toLowerCase());
  const id = key.replaceAll('_', ' ');
  const scores = words.map((word) => {
    if (begins(name, word) || begins(id, word) || key.startsWith(word)) return 4;
    if (name.includes(word) || key.includes(word)) return 3;
    if (begins(heading, word)) return 2;
    return text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)) ? 1 : 0;
  });
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0) / words.length;
}

/** The fields that fit what was typed. Where a word of a name fits, those that only contain or mention it are left out. */
export function searchFields<F extends Searched>(fields: readonly F[], typed: string): F[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...fields];
  const found = fields.map((field) => ({ field, score: fit(field, words) })).filter(({ score }) => score > 0);
  const best = Math.max(...found.map(({ score }) => score));
  const least = best === 4 ? 4 : best >= 2 ? 2 : 0;
  return found.filter(({ score }) => score >= least).map(({ field }) => field);
}
