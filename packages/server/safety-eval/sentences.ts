import { readdirSync, readFileSync } from 'node:fs';
import type { TaggedSpan } from '../src/drivers/taggers/driver.ts';
import type { FindPii } from '../src/features/pii/ports.ts';
import { type Score, same, scoreOf, touching } from './measure.ts';

type Entity = TaggedSpan['entity'];

export interface Sentence {
  /** What kind of text it could stand in: the name of its file. */
  group: string;
  text: string;
  names: { entity: Entity; start: number; end: number }[];
}

const entities: Record<string, Entity> = { P: 'PERSON', L: 'LOCATION', N: 'NRP' };

/** `{P|Ada}` marks a name; `\n` is a line break. */
function readSentence(group: string, line: string): Sentence {
  const names: Sentence['names'] = [];
  let text = '';
  for (const part of line.replaceAll('\\n', '\n').split(/(\{[PLN]\|[^}]*\})/)) {
    const mark = /^\{([PLN])\|([^}]*)\}$/.exec(part);
    const value = mark?.[2] ?? part;
    const entity = entities[mark?.[1] ?? ''];
    if (entity) names.push({ entity, start: text.length, end: text.length + value.length });
    text += value;
  }
  return { group, text, names };
}

/** The lines of a folder's files, each file a group. */
export function readSentences(folder: string): Sentence[] {
  const place = new URL(`${folder}/`, import.meta.url);
  return readdirSync(place)
    .sort()
    .flatMap((file) =>
      readFileSync(new URL(file, place), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => readSentence(file.replace('.txt', ''), line)),
    );
}

/** Written for this purpose, and never trained on: chat, letters, forms, tickets, news, posts, with their names marked. */
export const sentences: readonly Sentence[] = readSentences('sentences');

export interface MeasuredNames {
  group: string;
  entity: Entity;
  names: number;
  exact: Score;
  overlap: Score;
}

/** Each group of sentences, and all of them; the three entities are asked for together. */
export async function measureSentences(
  findPii: FindPii,
  some: readonly Sentence[] = sentences,
): Promise<MeasuredNames[]> {
  const kinds = Object.values(entities);
  const read = await Promise.all(some.map(async (one) => ({ ...one, found: await findPii(one.text, kinds) })));
  const groups = [...new Set(some.map(({ group }) => group)), 'all'];
  return groups.flatMap((group) =>
    kinds.map((entity) => {
      const results = read
        .filter((one) => group === 'all' || one.group === group)
        .map(({ names, found }) => ({
          one: { values: names.filter((name) => name.entity === entity) },
          found: found.filter((span) => span.entity === entity),
        }));
      const names = results.reduce((sum, { one }) => sum + one.values.length, 0);
      return { group, entity, names, exact: scoreOf(results, same), overlap: scoreOf(results, touching) };
    }),
  );
}
