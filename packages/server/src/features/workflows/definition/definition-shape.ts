import * as s from '@atrium/contract/schema/schema.ts';
import { z } from 'zod';

/** Paths in the journal are made of ids, so ids contain none of the separators. */
const nodeId = s.str({ min: 1, max: 100, pattern: /^[^/#:\s]+$/ });
const connectorName = s.str({ min: 1, max: 200 });

const fixedInput = z.looseObject({ name: s.optional(s.str({ max: 200 })), fixed_value: z.unknown() });

const definedNode = z.looseObject({
  id: nodeId,
  type: s.str({ min: 1, max: 200 }),
  name: s.optional(s.str({ max: 1000 })),
  node_config: s.optional(s.dict()),
  inputs: s.optional(s.list(fixedInput, { max: 1000 })),
});

const edgeEnd = z.looseObject({
  node_id: s.str({ min: 1, max: 100 }),
  connector_name: connectorName,
  key: s.optional(s.str({ max: 500 })),
});

const definedEdge = z.looseObject({ id: s.optional(s.str({ max: 200 })), from_id: edgeEnd, to_id: edgeEnd });

export const mostNodes = 2000;

/** The parts of a definition that the server reads. Definitions are stored as they were sent, with all other keys. */
export const definitionShape = z.looseObject({
  nodes: s.list(definedNode, { max: mostNodes }),
  edges: s.list(definedEdge, { max: 10_000 }),
});

export type Definition = z.output<typeof definitionShape>;
export type DefinedNode = z.output<typeof definedNode>;
export type DefinedEdge = z.output<typeof definedEdge>;

/** The least that a stored definition must have: clients cannot read one without these two lists. */
export const storedShape = z.looseObject({
  nodes: s.list(z.looseObject({}), { max: mostNodes }),
  edges: s.list(z.looseObject({}), { max: 10_000 }),
});

export const emptyDefinition = { nodes: [], edges: [] };
