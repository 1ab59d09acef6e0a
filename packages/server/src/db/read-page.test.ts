import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import { refuseForeignCursor } from './read-page.ts';

const after = { id: 'i', key: 'k' };
const readWith = (window: object, code: string) =>
  refuseForeignCursor(window as PageWindow, Promise.reject(Object.assign(new Error('of the database'), { code })));

test('refuses a cursor whose values the columns of a list do not take', async () => {
  await assert.rejects(readWith({ after }, '22P02'), InvalidRequest);
});

test('passes on other errors, and all of a page without a cursor', async () => {
  await assert.rejects(readWith({ after }, '57P01'), /of the database/);
  await assert.rejects(readWith({}, '22P02'), /of the database/);
  assert.equal(await refuseForeignCursor({ after } as PageWindow, Promise.resolve(1)), 1);
});
