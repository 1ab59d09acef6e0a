import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings, type SettingName, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { opensAllKnowledgeBases, permissionsForChange } from './capability-needs.ts';

const id = '00000000-0000-4000-8000-000000000001';
const needs = (name: SettingName, will: SparseSettings, was: SparseSettings = {}, logins: string[] = []) =>
  permissionsForChange(name, effectiveSettings(was), effectiveSettings(will), new Set(logins) as never);

test('needs the permission to run workflows when an agent gets a flow, and none when it loses it', () => {
  assert.deepEqual(needs('agent_flow_id', { agent_flow_id: id }), ['flows_run']);
  assert.deepEqual(needs('agentflow_enabled', { agent_flow_id: id, agentflow_enabled: true }), ['flows_run']);
  assert.deepEqual(needs('agent_flow_id', {}, { agent_flow_id: id }), []);
});

test('needs an administrator of the workspace when sending is no longer approved', () => {
  assert.deepEqual(needs('egress_approval', { egress_approval: { mode: 'never' } as never }), ['workspace_admin']);
  assert.deepEqual(needs('egress_approval', { egress_approval: { mode: 'always' } as never }), []);
});

test('needs the permission to read variables when listed variables are turned on', () => {
  assert.deepEqual(needs('variables_enabled', { variables: [id], variables_enabled: true }), ['variables_read']);
  assert.deepEqual(needs('variables_enabled', { variables_enabled: true }), []);
});

test('needs permissions for new entries only', () => {
  const other = '00000000-0000-4000-8000-000000000002';
  assert.deepEqual(needs('workflows', { workflows: [id] }), ['flows_run']);
  assert.deepEqual(needs('workflows', { workflows: [id] }, { workflows: [id, other] }), []);
  assert.deepEqual(needs('tables', { tables: [{ id, access: 'write' } as never] }, { tables: [id] }), ['tables_edit']);
});

test('opens all knowledge bases when a selector loses the last one of its own', () => {
  const tools = [{ type: 'kb_selector', enabled: true }] as never;
  const [was, will] = [effectiveSettings({ tools, knowledge_bases: [id] }), effectiveSettings({ tools })];
  assert.equal(opensAllKnowledgeBases('knowledge_bases', was, will), true);
  assert.equal(opensAllKnowledgeBases('knowledge_bases', will, will), false);
  assert.equal(opensAllKnowledgeBases('languages', was, will), false);
  assert.deepEqual(needs('knowledge_bases', { tools }, { tools, knowledge_bases: [id] }), ['kbs_query']);
});
