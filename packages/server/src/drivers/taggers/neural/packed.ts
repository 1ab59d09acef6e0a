import type { TaggedSpan } from '../driver.ts';

const entities = ['PERSON', 'LOCATION', 'NRP'] as const;

/**
 * Packs spans as four numbers each: an array of numbers is transferred between threads at no cost, while copying
 * thousands of objects blocks the receiver.
 */
export function pack(spans: readonly TaggedSpan[]): Int32Array<ArrayBuffer> {
  const out = new Int32Array(spans.length * 4);
  spans.forEach(({ entity, start, end, score }, at) => {
    out.set([entities.indexOf(entity), start, end, Math.round(score * 100)], at * 4);
  });
  return out;
}

export function unpack(numbers: Int32Array): TaggedSpan[] {
  const spans: TaggedSpan[] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [entity, start, end, score] = [numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]] as [
      number,
      number,
      number,
      number,
    ];
    spans.push({ entity: entities[entity] as TaggedSpan['entity'], start, end, score: score / 100 });
  }
  return spans;
}
