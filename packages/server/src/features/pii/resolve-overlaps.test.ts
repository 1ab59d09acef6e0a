import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Span } from './ports.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';

const span = (start: number, end: number, score: number): Span => ({ entity: 'PERSON', start, end, score });
const kept = (...spans: Span[]) => resolveOverlaps(spans).map(({ start, end, score }) => [start, end, score]);

test('keeps the validated one of two spans that overlap, then the longer, then the surer, then the first', () => {
  assert.deepEqual(kept(span(0, 10, 0.5), span(5, 8, 0.9)), [[5, 8, 0.9]]);
  assert.deepEqual(kept(span(5, 9, 0.8), span(0, 6, 0.5)), [[0, 6, 0.5]]);
  assert.deepEqual(kept(span(20, 24, 0.5), span(22, 28, 0.5)), [[22, 28, 0.5]]);
  assert.deepEqual(kept(span(0, 4, 0.5), span(2, 6, 0.6)), [[2, 6, 0.6]]);
  assert.deepEqual(kept(span(0, 4, 0.5), span(2, 6, 0.5)), [[0, 4, 0.5]]);
});

test('keeps spans that only touch, in the order of the text', () => {
  assert.deepEqual(kept(span(4, 8, 0.9), span(0, 4, 0.5), span(8, 8, 1)), [
    [0, 4, 0.5],
    [4, 8, 0.9],
  ]);
});

test('a span beaten by one neighbour gives way to the next best on its other side', () => {
  assert.deepEqual(kept(span(0, 4, 0.5), span(3, 9, 0.5), span(8, 20, 0.5)), [
    [0, 4, 0.5],
    [8, 20, 0.5],
  ]);
});
