import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Tool } from '../../tools/ports.ts';
import { fileReadersOf } from './file-readers.ts';

const scope = (...permissions: Permission[]) => ({ permissions: new Set(permissions) }) as unknown as Scope;
const reader = (tool: string, permission?: Permission) =>
  ({
    ...{ tool, ...(permission && { permission }) },
    reads_files: { how: (path: string) => `${tool} ${path}`, paths: async () => new Map([['id', 'a.csv']]) },
  }) as unknown as Tool;
const models = (...kinds: { kind: string; tools: boolean }[]) =>
  ({ models: kinds.map((info) => ({ info })) }) as unknown as Parameters<typeof fileReadersOf>[2];
const language = { kind: 'language', tools: true };
const builtIn = { kind: 'extractive', tools: false };
const settings = (changes: object = {}) => effectiveSettings(changes as never);
const files = reader('filesystem_read');
const code = reader('code_execution_run', 'sandboxes_run');

test('names each tool by which a model reads a file', async () => {
  const readBy = fileReadersOf(scope('agents_run'), settings(), models(language, builtIn), [files, code]);
  assert.deepEqual(await readBy?.('id'), ['filesystem_read a.csv', 'code_execution_run a.csv']);
  assert.deepEqual(await readBy?.('another'), []);
});

test('leaves out a tool that the caller may not use', async () => {
  const asUser = settings({ tool_grant_scope: 'user' });
  assert.equal(fileReadersOf(scope('agents_run'), asUser, models(language), [code]), undefined);
  const readBy = fileReadersOf(scope('agents_run', 'sandboxes_run'), asUser, models(language), [code]);
  assert.deepEqual(await readBy?.('id'), ['code_execution_run a.csv']);
});

test('has no reader where the model calls no tools or does not answer itself', () => {
  const none = (changed: object, ...kinds: (typeof language)[]) =>
    fileReadersOf(scope(), settings(changed), models(...kinds), [files]);
  assert.equal(none({}, builtIn, language), undefined, 'the built-in model quotes from what it is given');
  assert.equal(none({}, language, { kind: 'language', tools: false }), undefined);
  assert.equal(none({ agentflow_enabled: true, agent_flow_id: 'f' }, language), undefined);
  assert.equal(fileReadersOf(scope(), settings(), models(language), []), undefined);
});
