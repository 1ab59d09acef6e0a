import type { AnswerOf } from '@atrium/sdk';

export interface Position {
  x: number;
  y: number;
}
interface FixedInput {
  name?: string | null;
  fixed_value?: unknown;
}
/** A step as the server keeps it; keys that are not known here stay. */
export interface Step {
  id: string;
  type: string;
  name?: string | null;
  node_config?: Readonly<Record<string, unknown>> | null;
  inputs?: readonly FixedInput[] | null;
  display?: { position?: Position };
}
interface EdgeEnd {
  node_id: string;
  connector_name: string;
  key?: string | null;
}
export interface Edge {
  id: string;
  from_id: EdgeEnd;
  to_id: EdgeEnd;
}
/** A remark on the canvas, kept with the definition. */
export interface Remark {
  id: string;
  text: string;
  position: Position;
}
export interface Graph {
  nodes: readonly Step[];
  edges: readonly Edge[];
  comments?: readonly Remark[];
}
/** What an edge joins, without its id. */
export type Link = Pick<Edge, 'from_id' | 'to_id'>;

export type StepType = AnswerOf<'workflows.listNodeTypes'>[number];
export type Connector = StepType['inputs'][number];
/** The kinds of steps by their type. */
export type Catalogue = ReadonlyMap<string, StepType>;

export const stepSize = { width: 184, height: 84 } as const;
/** From one step to the next. Between two columns there is room for the name of a branch. */
export const gap = { x: 280, y: 116 } as const;
