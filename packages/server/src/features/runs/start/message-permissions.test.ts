import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import { requireMessagePermissions } from './message-permissions.ts';

const id = '00000000-0000-4000-8000-00000000000a';
function isAllowed(named: object, settings: object, ...permissions: Permission[]): boolean {
  try {
    const scope = { permissions: new Set(permissions) } as unknown as Scope;
    requireMessagePermissions(scope, effectiveSettings(settings as SparseSettings), named);
    return true;
  } catch {
    return false;
  }
}

test('a message may name the workflows and knowledge bases that its agent has', () => {
  const [workflow, base] = [{ workflow_id: id.toUpperCase() }, { kb_id: id }];
  assert.ok(isAllowed(workflow, { workflows: [{ id }] }));
  assert.ok(isAllowed(workflow, { tools: [{ type: 'workflow', workflow_id: id }] }));
  assert.ok(isAllowed(base, { knowledge_bases: [id] }));
  assert.ok(isAllowed(base, { tools: [{ type: 'kb_qa', kb_id: id }] }));
});

test('others need the permission to edit agents and the one of the record', () => {
  const [workflow, base] = [{ workflow_id: id }, { kb_id: id }];
  for (const settings of [{}, { tools: [{ type: 'kb_qa', workflow_id: id }] }]) {
    assert.ok(!isAllowed(workflow, settings));
    assert.ok(!isAllowed(workflow, settings, 'agents_edit'));
    assert.ok(!isAllowed(workflow, settings, 'flows_run'));
    assert.ok(isAllowed(workflow, settings, 'agents_edit', 'flows_run'));
  }
  assert.ok(!isAllowed(base, { tools: [{ type: 'workflow', kb_id: id }] }, 'agents_edit'));
  assert.ok(isAllowed(base, {}, 'agents_edit', 'kbs_query'));
  assert.ok(isAllowed({ workflow_id: 'no id', kb_id: '' }, {}), 'what is no id is ignored');
});
