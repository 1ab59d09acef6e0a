import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { sendersIn, startedBy, variablesOf } from './settings-beneath.ts';

const read = (settings: object) => effectiveSettings(settings as SparseSettings);

test('an agent can start the workflows and agents that are listed and turned on', () => {
  const settings = read({
    workflows: ['W1', { id: 'W2', version_id: 'V2' }, { id: 'W3', enabled: false }, { enabled: true }],
    coworkers: [{ id: 'A1', enabled: true }],
    subagents: ['A2'],
    tools: [
      { type: 'workflow', workflow_id: 'W4' },
      { type: 'agent_tool', agent_id: 'A3' },
      { type: 'agent_tool', agent_id: 'A4', enabled: false },
    ],
    ...{ subagents_enabled: false, agentflow_enabled: false, agent_flow_id: 'F' },
  });
  const flow = (id: string, version_id: string | null = null) => ({ kind: 'workflow', id, version_id });
  const started = [flow('w1'), flow('w2', 'v2'), flow('w4'), { kind: 'agent', id: 'a3' }, { kind: 'agent', id: 'a1' }];
  assert.deepEqual(startedBy(settings), started);
  assert.deepEqual(startedBy({ ...settings, subagents_enabled: true, agentflow_enabled: true }), [
    ...started,
    { kind: 'agent', id: 'a2' },
    flow('f'),
  ]);
});

test('an agent uses the variables that its texts name, and those listed while variables are on', () => {
  const settings = read({ variables: [{ id: 'V1' }, { id: 'V2', enabled: false }], variables_enabled: true });
  assert.deepEqual(variablesOf(settings).ids, ['v1']);
  assert.deepEqual(variablesOf({ ...settings, variables_enabled: false }).ids, []);
});

test('actions, MCP servers and databases send something out', () => {
  const settings = read({
    actions: [{ name: 'post', url: 'https://a.example' }],
    mcp_servers: [{ name: 'm', url: 'https://m.example' }],
    databases: [{ name: 'd', dsn_variable: 'DSN' }],
  });
  assert.deepEqual(
    sendersIn(settings).map(({ kind, name, url }) => [kind, name, url]),
    [
      ['action', 'post', 'https://a.example'],
      ['mcp_server', 'm', 'https://m.example'],
      ['database', 'd', undefined],
    ],
  );
});
