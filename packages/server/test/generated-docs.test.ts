import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openApi } from '@atrium/contract/openapi.ts';
import { operations } from '@atrium/contract/operations.ts';
import { envExample, readmeWithSettings } from '../scripts/document-config.ts';
import { testApp } from './support/test-app.ts';

const { app } = await testApp();
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const stale = 'is out of date: run `npm run docs`';

test("the README's table has every setting of the process", () => {
  assert.equal(read('README.md'), readmeWithSettings(read('README.md')), `README.md ${stale}`);
});

test('.env.example has every setting of the process', () => {
  assert.equal(read('.env.example'), envExample(), `.env.example ${stale}`);
});

test('docs/openapi.json describes the operations of the contract', () => {
  assert.deepEqual(JSON.parse(read('docs/openapi.json')), JSON.parse(JSON.stringify(openApi(operations))), stale);
});

test('every operation of the contract has exactly one handler, and every handler an operation', () => {
  assert.deepEqual(app.routes.map(({ id }) => id).sort(), operations.map(({ id }) => id).sort());
});

test('the index of the documentation has every page, and each page that it names is there', () => {
  const named = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.(?:md|json))\)/g)].map(([, page]) => page);
  const pages = readdirSync(new URL('../../../docs', import.meta.url)).filter((name) => /\.(md|json)$/.test(name));
  assert.deepEqual(named.sort(), pages.filter((name) => name !== 'README.md').sort());
});

test('the README gives the two commands', () => {
  assert.match(read('README.md'), /npm ci && npm start/);
  assert.match(read('README.md'), /npm ci && npm test/);
});
