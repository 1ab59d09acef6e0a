import type { Registry } from '../features/models/registry.ts';
import { makeAskModel } from '../features/workflows/ask-model.ts';
import { allNodes } from '../features/workflows/nodes/all.ts';
import { makeNodeRegistry } from '../features/workflows/registry.ts';
import { nodeRoutes } from '../features/workflows/routes.ts';
import type { Safety } from './safety.ts';

/** Workflows: the nodes they are built of, what is stored of them, and how they run. */
export function makeWorkflows({ registry, safety }: { registry: Registry; safety: Safety }) {
  const nodes = makeNodeRegistry(allNodes({ ask: makeAskModel({ registry, privacy: safety.privacy }) }));
  return { routes: nodeRoutes(nodes) };
}
