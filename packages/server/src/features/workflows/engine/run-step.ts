import { evaluateText, type Names } from '@atrium/contract/expressions/evaluate.ts';
import { ExpressionError, UnknownName } from '@atrium/contract/expressions/tokens.ts';
import { fieldsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { type Connector, isKeyed } from '@atrium/contract/workflows/node-types/connectors.ts';
import type { ExecutableNode, NodeContext, Outputs } from '../nodes/define-node.ts';
import type { EngineRequest } from '../nodes/engine-request.ts';
import { NodeFailure } from '../nodes/node-failure.ts';

/** The engine's part of a node's context; the rest is made here. */
export type StepContext = Omit<NodeContext, 'render' | 'evaluate'> & {
  /** Fills ((Key)) and {{variable}} into a text. */
  fill(text: string, values: Names, as?: (value: unknown) => string): Promise<string>;
  /** The inputs of the run by their labels; templates may name them besides the node's own inputs. */
  labels: Names;
};

/** Converts a value to the data type of the connector that takes it. */
function coerceToConnector({ definition: { data_type, is_list } }: Connector, value: unknown): unknown {
  if (is_list || data_type === 'list') return Array.isArray(value) ? value : [value];
  if (data_type !== 'str' || typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** The inputs of a node with the data types of its connectors. Keyed inputs are objects by key. */
export function inputsFor(node: ExecutableNode, came: Outputs): Outputs {
  const inputs: Outputs = {};
  for (const connector of node.inputs) {
    const value = came[connector.name];
    if (isKeyed(connector)) inputs[connector.name] = value ?? {};
    else if (value !== undefined) inputs[connector.name] = coerceToConnector(connector, value);
  }
  return inputs;
}

/** The names that templates and expressions of a node can use: keyed inputs by key, plain inputs by name. */
function namesOf(node: ExecutableNode, inputs: Outputs): Record<string, unknown> {
  const names: Record<string, unknown> = {};
  for (const connector of node.inputs) {
    if (isKeyed(connector)) Object.assign(names, inputs[connector.name]);
    else if (inputs[connector.name] !== undefined) names[connector.name] = inputs[connector.name];
  }
  return names;
}

async function filledConfig(
  node: ExecutableNode,
  config: Record<string, unknown>,
  fill: (text: string) => Promise<string>,
) {
  const filled = { ...config };
  for (const [name, { text }] of Object.entries(fieldsOf(node))) {
    const value = filled[name];
    if (text === 'template' && typeof value === 'string') filled[name] = await fill(value);
  }
  return filled;
}

/** Runs a node once with its templates filled in. */
export async function runStep(
  node: ExecutableNode,
  { fill, labels, ...context }: StepContext,
  came: Outputs,
  config: Record<string, unknown>,
): Promise<Outputs | EngineRequest> {
  const inputs = inputsFor(node, came);
  const names = namesOf(node, inputs);
  const known = { ...labels, ...names };
  const filled = await filledConfig(node, config, (text) => fill(text, known));
  const whole: NodeContext = {
    ...context,
    render: (text, values, as) => fill(text, { ...labels, ...values }, as),
    evaluate(expression, values) {
      try {
        const run = { id: context.run_id, input: context.input };
        return evaluateText(expression, { ...names, ...values, inputs: names, run });
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        if (error instanceof UnknownName) context.log(`Known here: ${[...Object.keys(names), 'run'].join(', ')}`);
        throw new NodeFailure('expression_failed', error.message, { passing: false });
      }
    },
  };
  return node.run(whole, inputs, filled);
}
