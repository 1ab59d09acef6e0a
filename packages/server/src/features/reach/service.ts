import { createHash } from 'node:crypto';
import type { ReachedRecord } from '@atrium/contract/approvals/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { fillTemplates } from '../variable-templates/service.ts';
import type { FindReach, ReachDeps, ReachRoot } from './ports.ts';
import { sendersIn, startedBy, variablesOf } from './settings-beneath.ts';

/** An address whose host comes from the input of a call or from a secret. */
const anyHost = '*';

/** The host of an address; its scheme and host must be literal. */
export function recipientOf(address: string): string {
  if (address.startsWith('operator:')) return address;
  const origin = /^\s*(https?:\/\/[^/?#\s\\]+)/i.exec(address)?.[1];
  if (origin === undefined || /[(){}]/.test(origin)) return anyHost;
  return URL.parse(origin)?.host || anyHost;
}

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);

/** One walk over everything beneath its roots; each record is read once. */
function makeWalk(deps: ReachDeps, scope: Scope) {
  /** The lines of the digest, by the record that they are about. */
  const lines = new Map<string, unknown>();
  const beneath: ReachedRecord[] = [];
  const recipients = new Set<string>();

  async function variables({ names, ids, granted = [] }: Extract<ReachRoot, { kind: 'variables' }>) {
    const wanted = [...new Set(names)];
    const rows = wanted.length && ids?.length !== 0 ? await deps.variables(scope, wanted, ids) : [];
    const connections = granted.length ? await deps.variables(scope, granted) : [];
    for (const { id, name, version, value } of [...rows, ...connections]) {
      if (!lines.has(`variable ${id}`)) beneath.push({ kind: 'variable', id, name, version: null });
      lines.set(`variable ${id}`, [name, version, value ?? null]);
    }
    const values = new Map(rows.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
    return <T>(given: T): T =>
      fillTemplates(given, ({ name, is_handle }) => (is_handle ? undefined : values.get(name)));
  }

  async function workflow({ id, version_id, graph_id: own }: Extract<ReachRoot, { kind: 'workflow' }>) {
    const key = `workflow ${id} ${version_id ?? ''}`;
    if (lines.has(key)) return;
    lines.set(key, null);
    const row = await deps.workflow(scope, id, version_id);
    if (!row) return;
    const graph_id = own ?? row.graph_id;
    lines.set(key, [graph_id, row.error_handler]);
    beneath.push({ kind: 'workflow', id, name: row.name, version: graph_id });
    // One that was stored with faults can't run.
    if (!row.is_valid) return;
    const graph = await deps.graph(scope, graph_id);
    const fill = await variables({ kind: 'variables', names: graph.variables });
    if (row.error_handler) await visit({ kind: 'workflow', id: row.error_handler.toLowerCase(), version_id: null });
    for (const { config } of graph.nodes) {
      const [workflow_id, agent_id, url] = [text(config['workflow_id']), text(config['agent_id']), text(config['url'])];
      const version = text(config['version_id'])?.toLowerCase() ?? null;
      if (workflow_id) await visit({ kind: 'workflow', id: workflow_id.toLowerCase(), version_id: version });
      if (agent_id) await visit({ kind: 'agent', id: agent_id.toLowerCase() });
      if (url) recipients.add(recipientOf(fill(url)));
    }
  }

  async function agent({ id }: Extract<ReachRoot, { kind: 'agent' }>) {
    const key = `agent ${id}`;
    if (lines.has(key)) return;
    lines.set(key, null);
    const row = await deps.agent(scope, id);
    if (!row) return;
    const { name, version_id, settings } = row;
    lines.set(key, version_id);
    beneath.push({ kind: 'agent', id, name, version: version_id });
    const fill = await variables(variablesOf(settings));
    for (const { kind, name: entry, url } of sendersIn(settings)) {
      beneath.push({ kind, id: null, name: entry, version: null });
      recipients.add(url === undefined ? anyHost : recipientOf(fill(url)));
    }
    for (const root of startedBy(settings)) await visit(root);
  }

  async function visit(root: ReachRoot): Promise<void> {
    if (root.kind === 'workflow') await workflow(root);
    else if (root.kind === 'agent') await agent(root);
    else await variables(root);
  }

  return { visit, lines, beneath, recipients };
}

/**
 * Finds what lies beneath a tool: the graphs, agents and variables that a call reaches, directly or by way of others. The
 * digest holds for all of it, so that a person approves what runs.
 */
export const makeReach =
  (deps: ReachDeps): FindReach =>
  async (scope, roots) => {
    const walk = makeWalk(deps, scope);
    for (const root of roots) await walk.visit(root);
    const sorted = [...walk.lines].sort(([a], [b]) => (a < b ? -1 : 1));
    const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
    return { digest, recipients: [...walk.recipients].sort(), beneath: walk.beneath };
  };
