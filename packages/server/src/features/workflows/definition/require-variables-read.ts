import { forbidden } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { fieldsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import type { Scope } from '../../../lib/scope.ts';
import { namesIn } from '../../variable-templates/service.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';

/** Finds the variables of the workspace among the given names. */
export type FindVariables = (scope: Scope, names: readonly string[]) => Promise<{ name: string }[]>;

interface ReadingNode {
  label: string;
  /** The node reads a secret, or one of its fields holds the name of a variable. */
  isCertain: boolean;
  /** Names in braces; they are variables only if the workspace has variables of these names. */
  names: string[];
}

/** The nodes that may read variables; the rest of the definition may be invalid. */
function readingNodes(definition: unknown, registry: NodeRegistry): ReadingNode[] {
  const { nodes = [] } = definition as { nodes?: Record<string, unknown>[] };
  return nodes.flatMap((node) => {
    const type = typeof node['type'] === 'string' ? registry.get(node['type']) : undefined;
    const holdsName = type !== undefined && Object.values(fieldsOf(type)).some(({ text }) => text === 'variable');
    const { plain, handles } = namesIn(node);
    if (!holdsName && plain.size + handles.size === 0) return [];
    const label = [node['name'], node['id']].filter((part) => typeof part === 'string').join(' ');
    return [{ label, isCertain: holdsName || handles.size > 0, names: [...plain] }];
  });
}

/** Refuses a definition that reads variables or secrets when the caller may not read them. */
export async function requireVariablesRead(
  scope: Scope,
  definition: unknown,
  { nodes, findVariables }: { nodes: NodeRegistry; findVariables: FindVariables },
): Promise<void> {
  if (allows(scope.permissions, 'variables_read')) return;
  const reading = readingNodes(definition, nodes);
  const names = [...new Set(reading.flatMap((node) => node.names))];
  const known = new Set((names.length ? await findVariables(scope, names) : []).map(({ name }) => name));
  const refused = reading.filter((node) => node.isCertain || node.names.some((name) => known.has(name)));
  if (refused.length === 0) return;
  const labels = refused.map(({ label }) => label).join(', ');
  throw forbidden(`Nodes that read variables need the permission variables_read: ${labels}`, 'variables_forbidden');
}
