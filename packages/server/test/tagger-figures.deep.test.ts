import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  fifthTable,
  fourthTable,
  measuredFifthPeople,
  measuredFifthThings,
  measuredFourthPeople,
  measuredFourthThings,
  measuredNames,
  measuredPeople,
  measuredSecondPeople,
  measuredSecondThings,
  measuredThings,
  measuredThirdPeople,
  measuredThirdThings,
  namesTable,
  secondTable,
  thingsTable,
  thirdTable,
} from '../safety-eval/document.ts';
import { sentences } from '../safety-eval/sentences.ts';
import { fifthThings, fourthThings, secondThings, things, thirdThings } from '../safety-eval/things.ts';
import { type Figures, trainingFigures } from '../safety-eval/training-figures.ts';
import { loadAsset } from '../src/drivers/taggers/neural/asset.ts';
import { makeReader } from '../src/drivers/taggers/neural/reader.ts';

test('sentences of our own: at least 300, and most of their names are found', () => {
  assert.ok(sentences.length >= 300);
  const floors = { PERSON: 0.94, LOCATION: 0.93, NRP: 0.94 };
  for (const { group, entity, exact } of measuredNames)
    if (group === 'all')
      assert.ok(exact.recall >= floors[entity] && exact.precision >= 0.9, `${entity}: ${JSON.stringify(exact)}`);
});

test('docs/safety.md has the figures that our own sentences give today', () => {
  const document = readFileSync(new URL('../../../docs/safety.md', import.meta.url), 'utf8');
  assert.ok(document.includes(namesTable), 'docs/safety.md is out of date: run `npm run safety`');
  assert.ok(document.includes(thingsTable), 'docs/safety.md is out of date: run `npm run safety`');
  assert.ok(document.includes(secondTable), 'docs/safety.md is out of date: run `npm run safety`');
  assert.ok(document.includes(thirdTable), 'docs/safety.md is out of date: run `npm run safety`');
  assert.ok(document.includes(fourthTable), 'docs/safety.md is out of date: run `npm run safety`');
  assert.ok(document.includes(fifthTable), 'docs/safety.md is out of date: run `npm run safety`');
});

const f1Of = ({ precision, recall }: { precision: number; recall: number }) =>
  (2 * precision * recall) / (precision + recall);

test('of 500 sentences about things at most 4.4 % lose a word', () => {
  assert.ok(things.length >= 500);
  assert.ok(things.every(({ names }) => names.length === 0));
  const all = measuredThings.find(({ group }) => group === 'all');
  assert.ok(all && all.losing / all.sentences <= 0.044, JSON.stringify(all));
});

test('people are found where they are hard to tell, and in the mixed set', () => {
  const floors: Record<string, number> = { european: 0.98, 'first-names': 0.97, 'lower-case': 1, mixed: 0.94 };
  assert.deepEqual(measuredPeople.map(({ group }) => group).sort(), Object.keys(floors).sort());
  for (const { group, overlap } of measuredPeople)
    assert.ok(f1Of(overlap) >= (floors[group] ?? 1), `overlap F1 of PERSON, ${group}: ${f1Of(overlap)}`);
});

test('the second set loses no more words and no more people than it did when it was written', () => {
  assert.ok(secondThings.length >= 330 && secondThings.every(({ names }) => names.length === 0));
  const lost = measuredSecondThings.find(({ group }) => group === 'all');
  assert.ok(lost && lost.losing / lost.sentences <= 0.063, JSON.stringify(lost));
  const people = measuredSecondPeople.find(({ group }) => group === 'all');
  assert.ok(people && people.names >= 190 && f1Of(people.overlap) >= 0.91, JSON.stringify(people));
});

test('the third set loses no more words and no more people than it did when it was written', () => {
  assert.ok(thirdThings.length >= 300 && thirdThings.every(({ names }) => names.length === 0));
  const lost = measuredThirdThings.find(({ group }) => group === 'all');
  assert.ok(lost && lost.losing / lost.sentences <= 0.085, JSON.stringify(lost));
  const people = measuredThirdPeople.find(({ group }) => group === 'all');
  assert.ok(people && people.names >= 110 && f1Of(people.overlap) >= 0.92, JSON.stringify(people));
});

test('the fourth set loses no more words and no more people than it did when it was written', () => {
  assert.ok(fourthThings.length >= 230 && fourthThings.every(({ names }) => names.length === 0));
  const lost = measuredFourthThings.find(({ group }) => group === 'all');
  assert.ok(lost && lost.losing / lost.sentences <= 0.098, JSON.stringify(lost));
  const people = measuredFourthPeople.find(({ group }) => group === 'all');
  assert.ok(people && people.names >= 95 && f1Of(people.overlap) >= 0.92, JSON.stringify(people));
});

test('the fifth set loses no more words and no more people than it did when it was written', () => {
  assert.ok(fifthThings.length >= 250 && fifthThings.every(({ names }) => names.length === 0));
  const lost = measuredFifthThings.find(({ group }) => group === 'all');
  assert.ok(lost && lost.losing / lost.sentences <= 0.104, JSON.stringify(lost));
  const people = measuredFifthPeople.find(({ group }) => group === 'all');
  assert.ok(people && people.names >= 120 && f1Of(people.overlap) >= 0.88, JSON.stringify(people));
});

type Span = [kind: string, start: number, end: number];

function spansOf(tags: readonly string[]): Span[] {
  const spans: Span[] = [];
  tags.forEach((tag, at) => {
    if (tag.startsWith('B-')) spans.push([tag.slice(2), at, at + 1]);
    else if (tag.startsWith('I-')) (spans.at(-1) as Span)[2] = at + 1;
  });
  return spans;
}

// The training data is not part of the repository; where it lies beside it (training/ner/README.md), the asset is asked.
const folder = process.env.NER_DATA
  ? pathToFileURL(`${process.env.NER_DATA}/`)
  : new URL('../../../../shared/data/ner/', import.meta.url);
const data = new URL('dev.conll', folder);

test('the asset finds what the training said it would, to half a point', { skip: !existsSync(data) }, async () => {
  const reader = makeReader(loadAsset());
  const counts = new Map<string, [hits: number, found: number, gold: number]>();
  for (const block of readFileSync(data, 'utf8').split('\n\n')) {
    const lines = block
      .split('\n')
      .flatMap((line) => (line.includes('\t') ? [line.split('\t') as [string, string]] : []));
    if (!lines.length) continue;
    const gold = spansOf(lines.map(([, tag]) => tag));
    const found = lines.flatMap((_, at): Span[] =>
      at % 160
        ? []
        : reader
            .runsOf(lines.slice(at, at + 160).map(([word]) => word))
            .map((run) => [run.kind, run.first + at, run.end + at]),
    );
    for (const kind of ['PERSON', 'LOCATION', 'NRP']) {
      const count = counts.get(kind) ?? [0, 0, 0];
      const [ours, theirs] = [found, gold].map((spans) => new Set(spans.filter(([k]) => k === kind).map(String))) as [
        Set<string>,
        Set<string>,
      ];
      counts.set(kind, [count[0] + ours.intersection(theirs).size, count[1] + ours.size, count[2] + theirs.size]);
    }
  }
  const trained = (trainingFigures['as is, with bias'] as Figures)['all'] as Figures[string];
  for (const kind of ['PERSON', 'LOCATION', 'NRP'] as const) {
    const [hits, found, gold] = counts.get(kind) as [number, number, number];
    const f1 = (2 * hits) / (found + gold);
    assert.ok(Math.abs(f1 - trained[kind].f1) < 0.005, `${kind}: ${f1}, in training ${trained[kind].f1}`);
  }
});
