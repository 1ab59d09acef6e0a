import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AppError, type ErrorKind } from '@atrium/contract/errors.ts';
import { openApi } from '@atrium/contract/openapi.ts';
import { operations } from '@atrium/contract/operations.ts';
import { errorAnswer } from '../src/http/errors.ts';

const root = new URL('../src/', import.meta.url).pathname;
const sources = globSync('**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(root + file, 'utf8'))
  .join('\n');
const listed = operations.flatMap(({ id, errors = [] }) => errors.map((error) => ({ id, ...error })));
const kinds: ErrorKind[] = ['unauthorized', 'forbidden', 'not_found', 'conflict', 'too_large', 'locked', 'too_many'];

test('every error code that an operation lists is one that the server answers with', () => {
  assert.ok(listed.length > 40);
  const statusOf = new Map<string, number>(kinds.map((kind) => [kind, errorAnswer(new AppError(kind, '')).status]));
  for (const { id, code, status } of listed) {
    const known = statusOf.get(code);
    if (known === undefined)
      assert.ok(sources.includes(`'${code}'`), `${id} lists ${code}, which the server never says`);
    else assert.equal(status, known, `${id} lists ${code} with another status than the server answers`);
  }
});

test('the OpenAPI document shows the listed errors by status, with their codes', () => {
  const document = JSON.parse(JSON.stringify(openApi(operations)));
  const { responses } = document.paths['/v1/workflows/{workflow_id}/runs/sync'].post;
  const [, { properties }] = responses['409'].content['application/json'].schema.allOf;
  assert.deepEqual(properties.code.enum.slice(0, 2), ['workflow_invalid', 'run_failed']);
  assert.match(responses['409'].description, /`run_stopped`: With `output_only`: the run was stopped\./);
  assert.match(responses['404'].description, /no such workflow or version/);
});

test('no operation lists an error twice', () => {
  const names = listed.map(({ id, status, code }) => `${id} ${status} ${code}`);
  assert.equal(new Set(names).size, names.length);
});
