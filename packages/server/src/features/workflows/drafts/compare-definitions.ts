import { isSameJson } from '@atrium/contract/same-json.ts';
import type { WorkflowDraftDiff } from '@atrium/contract/workflows/draft-schema.ts';

type Fields = Readonly<Record<string, unknown>>;
type Change = WorkflowDraftDiff['nodes'][number]['change'];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (definition: Fields, key: string): unknown[] => {
  const list = definition[key];
  return Array.isArray(list) ? list : [];
};

/** Items by what identifies them; of several with the same identity, as drafts with errors may have, each has a number. */
function byIdentity(items: readonly unknown[], identify: (item: unknown) => string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const item of items) {
    const name = identify(item);
    let key = name;
    for (let count = 2; found.has(key); count++) key = `${name} ${count}`;
    found.set(key, item);
  }
  return found;
}

function compareItems(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) {
  const changes: { key: string; change: Change; before: unknown; after: unknown }[] = [];
  for (const [key, item] of after) {
    if (!before.has(key)) changes.push({ key, change: 'added', before: null, after: item });
    else if (!isSameJson(before.get(key), item))
      changes.push({ key, change: 'changed', before: before.get(key), after: item });
  }
  for (const [key, item] of before)
    if (!after.has(key)) changes.push({ key, change: 'removed', before: item, after: null });
  return changes;
}

const idOf = (node: unknown) => (isFields(node) && typeof node['id'] === 'string' ? node['id'] : null);
const nodeKey = (node: unknown) => idOf(node) ?? JSON.stringify(node);

/** An edge is what it connects, whatever its id. */
function edgeKey(edge: unknown): string {
  if (!isFields(edge)) return JSON.stringify(edge);
  const end = (side: unknown) =>
    isFields(side) ? [side['node_id'], side['connector_name'], side['key'] ?? null] : [side];
  return JSON.stringify([end(edge['from_id']), end(edge['to_id'])]);
}

function changedFields(before: unknown, after: unknown): string[] {
  if (!isFields(before) || !isFields(after)) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isSameJson(before[key], after[key]));
}

/** The nodes, edges and other keys in which two definitions differ. */
export function compareDefinitions(before: Fields, after: Fields): WorkflowDraftDiff {
  const parts = (key: string, identify: (item: unknown) => string) =>
    compareItems(byIdentity(listOf(before, key), identify), byIdentity(listOf(after, key), identify));
  const otherKeys = (definition: Fields) =>
    new Map(Object.entries(definition).filter(([key]) => key !== 'nodes' && key !== 'edges'));
  return {
    nodes: parts('nodes', nodeKey).map(({ key: _, ...item }) => ({
      node_id: idOf(item.after ?? item.before),
      ...item,
      fields: item.change === 'changed' ? changedFields(item.before, item.after) : [],
    })),
    edges: parts('edges', edgeKey).map(({ key: _, ...item }) => item),
    keys: compareItems(otherKeys(before), otherKeys(after)),
  };
}
