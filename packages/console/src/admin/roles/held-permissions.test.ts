import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySection, type PermissionEntry, withIncluded } from './held-permissions.ts';

const entry = (id: string, section: string, includes: string[] = []): PermissionEntry =>
  ({ id, label: id, help: id, scope: 'workspace', section, includes }) as PermissionEntry;
const permissions = [
  entry('agents_edit', 'Agents'),
  entry('flows_edit', 'Workflows'),
  entry('agents_run', 'Agents'),
  entry('workspace_admin', 'Administration', ['agents_edit', 'agents_run', 'flows_edit']),
];

test('counts what an administrator holds when one permission includes the others', () => {
  assert.deepEqual([...withIncluded(new Set(['agents_run']), permissions)], ['agents_run']);
  assert.equal(withIncluded(new Set(['workspace_admin']), permissions).size, 4);
});

test('keeps the order of the headings when permissions of one are apart', () => {
  assert.deepEqual(
    bySection(permissions).map(([section, entries]) => [section, entries.length]),
    [
      ['Agents', 2],
      ['Workflows', 1],
      ['Administration', 1],
    ],
  );
});
