import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { figuresTable, measured } from '../safety-eval/document.ts';
import { patternRecognisers } from '../src/features/pii/service.ts';

const patterns = new Set(patternRecognisers.flatMap(({ entities }) => entities));

test('every entity has at least 40 cases with a value and 20 without', () => {
  assert.equal(measured.length, 12);
  for (const { entity, positive, negative } of measured)
    assert.ok(positive >= 40 && negative >= 20, `${entity}: ${positive} / ${negative}`);
});

test('the pattern entities are found with a precision and a recall of at least 0.98', () => {
  for (const { entity, exact } of measured)
    if (patterns.has(entity))
      assert.ok(exact.precision >= 0.98 && exact.recall >= 0.98, `${entity}: ${JSON.stringify(exact)}`);
});

test('names, places and groups are not found worse than they were', () => {
  const floors: Partial<Record<string, number>> = { PERSON: 0.88, LOCATION: 0.88, NRP: 0.83 };
  for (const { entity, exact } of measured)
    assert.ok(exact.recall >= (floors[entity] ?? 0) && exact.precision >= 0.85, `${entity}: ${JSON.stringify(exact)}`);
});

test('docs/safety.md has the figures that the cases give today', () => {
  const document = readFileSync(new URL('../../../docs/safety.md', import.meta.url), 'utf8');
  assert.ok(document.includes(figuresTable), 'docs/safety.md is out of date: run `npm run safety`');
});
