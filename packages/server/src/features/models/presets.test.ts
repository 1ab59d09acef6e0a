import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import { unknownModel } from './catalogue.ts';
import { ranked } from './rank-models.ts';

const model = (name: string, facts: Partial<ModelInfo>): ModelInfo => ({
  ...unknownModel,
  name,
  provider: 'p',
  model: name,
  kind: 'llm',
  ...facts,
});
const price = (input: number, output: number) => ({ price: { input, cached_input: input, output } });
const names = (models: ModelInfo[]) => models.map(({ name }) => name);

const models = [
  model('best', { ...price(10, 50), quality: 10, speed: 3 }),
  model('good', { ...price(1, 5), quality: 9, speed: 7 }),
  model('cheap', { ...price(0.1, 0.5), quality: 5, speed: 9 }),
  model('toy', { ...price(0.01, 0.02), quality: 2, speed: 10 }),
  model('unpriced', { quality: 6, speed: 6 }),
  model('mute', { ...price(0, 0), tools: false, quality: 10, speed: 10 }),
];

test('each preset has its own order, of models that can use tools', () => {
  assert.deepEqual(names(ranked(models, 'cost')), ['cheap', 'good', 'best']);
  assert.deepEqual(names(ranked(models, 'quality')), ['best', 'good', 'unpriced']);
  assert.deepEqual(names(ranked(models, 'speed')), ['cheap', 'good', 'unpriced']);
  assert.equal(ranked(models, 'balanced')[0]?.name, 'good');
});

test('ranks an unknown price as high, and equal models by price', () => {
  assert.deepEqual(names(ranked([model('unpriced', {}), model('priced', price(90, 90))], 'cost')), [
    'priced',
    'unpriced',
  ]);
  assert.deepEqual(names(ranked([model('dear', price(9, 9)), model('fair', price(1, 1))], 'quality')), [
    'fair',
    'dear',
  ]);
});

test('a weak model is better than none', () => {
  assert.deepEqual(names(ranked([model('toy', { quality: 1 })], 'cost')), ['toy']);
  assert.deepEqual(ranked([], 'speed'), []);
});
