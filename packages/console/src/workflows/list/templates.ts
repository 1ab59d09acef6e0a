import { type Graph, gap, type Step } from '../graph/graph-types.ts';

const at = (column: number, row = 0) => ({ position: { x: column * gap.x, y: row * gap.y } });
const step = (
  id: string,
  type: string,
  name: string,
  node_config: Step['node_config'],
  column: number,
  row = 0,
): Step => ({
  ...{ id, type, name, node_config: node_config ?? {}, display: at(column, row) },
});
const edge = (from: string, to: string) => {
  const [[fromId = '', output = ''], [toId = '', input = '', key]] = [from.split('.'), to.split('.')];
  return {
    id: `${from}-${to}`,
    from_id: { node_id: fromId, connector_name: output },
    to_id: { node_id: toId, connector_name: input, ...(key && { key }) },
  };
};

/** Definitions to begin with. They have no fault and can be run as they are, given a model where one is asked. */
export const templates: Readonly<Record<'empty' | 'greeting' | 'approval' | 'letter' | 'list', Graph>> = {
  empty: { nodes: [], edges: [] },
  greeting: {
    nodes: [
      step('name', 'InputNode', 'Name', { label: 'Name' }, 0),
      step('text', 'ComposeTextNode', 'Greeting', { template: 'Dear ((Name)), thank you for your order.' }, 1),
      step('result', 'OutputNode', 'Result', { label: 'Text' }, 2),
    ],
    edges: [edge('name.output', 'text.variables.Name'), edge('text.output', 'result.input')],
  },
  approval: {
    nodes: [
      step('amount', 'InputNode', 'Amount', { label: 'Amount', type: 'float' }, 0, 1),
      step('limit', 'ConditionNode', 'Above 100?', { expression: 'value > 100' }, 1, 1),
      step('ask', 'ApprovalNode', 'Lead agrees', { question: 'Pay ((Amount))?' }, 2),
      step('paid', 'ComposeTextNode', 'Pay', { template: 'Paid ((Amount))' }, 3),
      step('refused', 'ComposeTextNode', 'Refuse', { template: 'Not paid: ((Amount))' }, 3, 1),
      step('small', 'ComposeTextNode', 'Pay at once', { template: 'Paid ((Amount)) at once' }, 2, 2),
      step('result', 'OutputNode', 'Result', { label: 'Result' }, 4, 1),
    ],
    edges: [
      edge('amount.output', 'limit.value'),
      edge('limit.true', 'ask.value'),
      edge('ask.approved', 'paid.variables.asked'),
      edge('ask.rejected', 'refused.variables.asked'),
      edge('limit.false', 'small.variables.limit'),
      edge('paid.output', 'result.input'),
      edge('refused.output', 'result.input'),
      edge('small.output', 'result.input'),
    ],
  },
  letter: {
    nodes: [
      step('letter', 'InputNode', 'Letter', { label: 'Letter' }, 0),
      step('topic', 'ClassifyNode', 'Find the topic', { categories: ['Order', 'Return', 'Other'] }, 1, 1),
      step(
        ...(['draft', 'TextGenerationNode', 'Write the answer'] as const),
        { template: 'The topic is ((Topic)). Write a short, friendly answer to this letter:\n((Letter))' },
        2,
      ),
      step('result', 'OutputNode', 'Result', { label: 'Answer' }, 3),
    ],
    edges: [
      edge('letter.output', 'topic.input'),
      edge('letter.output', 'draft.variables.Letter'),
      edge('topic.output', 'draft.variables.Topic'),
      edge('draft.output', 'result.input'),
    ],
  },
  list: {
    nodes: [
      step('entries', 'InputNode', 'Entries', { label: 'Entries', type: 'list' }, 0),
      step('loop', 'LoopNode', 'For each entry', {}, 1),
      step('line', 'ComposeTextNode', 'Write a line', { template: '((number)). ((entry))' }, 2, 1),
      step('lines', 'JsonTransformNode', 'Join the lines', { expression: 'join(value, "\\n")' }, 2),
      step('result', 'OutputNode', 'Result', { label: 'Lines' }, 3),
    ],
    edges: [
      edge('entries.output', 'loop.list'),
      edge('loop.item', 'line.variables.entry'),
      edge('loop.index', 'line.variables.number'),
      edge('line.output', 'loop.result'),
      edge('loop.results', 'lines.value'),
      edge('lines.output', 'result.input'),
    ],
  },
};
