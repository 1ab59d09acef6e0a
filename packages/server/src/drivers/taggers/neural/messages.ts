import type { TaggedSpan } from '../driver.ts';
import type { NameLists } from './plain-text.ts';

/** The messages between the calling thread and the tagger's. Both send what came together in one message. */
export interface Ask {
  id: number;
  text: string;
}

export interface Answers {
  /** Packed; see below. */
  spans: Int32Array<ArrayBuffer>;
  failed: { id: number; error: string }[];
  /** The lists of names, with the first answers: the calling thread then knows texts that have none. */
  lists?: ListBytes;
}

/** The lists of names as plain data. */
export interface ListBytes {
  probes: number;
  lists: [name: string, bytes: Uint8Array][];
}

export const listBytesOf = ({ lists, probes, bytes }: NameLists): ListBytes => ({
  probes,
  // Copied, since the bytes of the whole model lie in the same buffer.
  lists: lists.map((name) => [name, bytes(`list.${name}`).slice()]),
});

export function nameListsOf({ probes, lists }: ListBytes): NameLists {
  const sections = new Map(lists.map(([name, bytes]) => [`list.${name}`, bytes]));
  return {
    probes,
    lists: lists.map(([name]) => name),
    bytes: (section) => sections.get(section) ?? new Uint8Array(),
  };
}

const entities = ['PERSON', 'LOCATION', 'NRP'] as const;

/**
 * Packs answers as numbers: id, number of spans, and four numbers for each span. An array of numbers is transferred between
 * threads at no cost, while copying thousands of objects blocks the receiver.
 */
export function packAnswers(answers: readonly { id: number; spans: readonly TaggedSpan[] }[]): Int32Array<ArrayBuffer> {
  const out = new Int32Array(answers.reduce((sum, { spans }) => sum + 2 + spans.length * 4, 0));
  let at = 0;
  for (const { id, spans } of answers) {
    out[at++] = id;
    out[at++] = spans.length;
    for (const { entity, start, end, score } of spans) {
      out[at++] = entities.indexOf(entity);
      out[at++] = start;
      out[at++] = end;
      out[at++] = Math.round(score * 100);
    }
  }
  return out;
}

export function* unpackAnswers(numbers: Int32Array): Generator<{ id: number; spans: TaggedSpan[] }> {
  let at = 0;
  const next = () => numbers[at++] as number;
  while (at < numbers.length) {
    const id = next();
    const spans: TaggedSpan[] = [];
    for (let left = next(); left > 0; left--)
      spans.push({ entity: entities[next()] as TaggedSpan['entity'], start: next(), end: next(), score: next() / 100 });
    yield { id, spans };
  }
}
