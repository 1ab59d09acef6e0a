import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relink } from './relink-references.ts';

test('a mapped workflow follows its newest version, and the lost version is reported', () => {
  const workflows = [{ id: 'a', version_id: 'v1' }, { id: 'b', version_id: 'v2' }, 'a'];
  const { settings, missing } = relink({ workflows }, ['agent'], (_, id) => (id === 'a' ? 'c' : id));
  assert.deepEqual(settings.workflows, [{ id: 'c' }, { id: 'b', version_id: 'v2' }, 'c']);
  assert.deepEqual(missing, [{ kind: 'workflow_version', id: 'v1', path: ['agent', 'workflows', '0', 'version_id'] }]);
});

test('drops single entries, keeps the order of the remaining ones and does not change the original', () => {
  const settings = { coworkers: ['a', 'b', { id: 'a' }, 'c', 'a'], agent_flow_id: 'a', top_k: 1 };
  const before = structuredClone(settings);
  const { settings: after, missing } = relink(settings, [], (_, id) => (id === 'a' ? null : id));
  assert.deepEqual(after, { coworkers: ['b', 'c'], top_k: 1 });
  assert.deepEqual(
    missing.map(({ path }) => path.join('.')),
    ['coworkers.0', 'coworkers.2.id', 'coworkers.4', 'agent_flow_id'],
  );
  assert.deepEqual(settings, before);
});
