import { fieldsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { namesIn } from '../../variable-templates/service.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';

/** As many names as a file lists. */
const mostNames = 10_000;

/** The names of variables and secrets that the nodes of a definition have, in braces or in a field for a name. */
export function variableNamesIn(definition: object, registry: NodeRegistry): string[] {
  const { nodes = [] } = definition as { nodes?: { type?: unknown; node_config?: Record<string, unknown> }[] };
  const found = new Set<string>();
  for (const node of nodes) {
    const { plain, handles } = namesIn(node);
    for (const name of [...plain, ...handles]) found.add(name);
    const type = typeof node.type === 'string' ? registry.get(node.type) : undefined;
    for (const [field, { text }] of Object.entries(type ? fieldsOf(type) : {})) {
      const name = node.node_config?.[field];
      if (text === 'variable' && typeof name === 'string') found.add(name);
    }
  }
  return [...found].slice(0, mostNames);
}
