import { allNodes, type NodeDeps } from '../nodes/all-nodes.ts';
import type { Connector } from './connectors.ts';
import { commonFields, type NodeType } from './define-node.ts';
import { fieldsOf, outputsOf } from './node-catalogue.ts';
import { examples } from './node-examples.ts';

const intro = `# Nodes of workflows

Made by \`npm run docs\` from the nodes themselves; do not edit. \`GET /v1/nodes\` answers the same for programs. Every node
that can fail has the output \`on_error\`, which gives \`{code, message, node_id}\` to whoever is connected to it, and these
fields: ${Object.keys(commonFields)
  .map((name) => `\`${name}\``)
  .join(
    ', ',
  )}. In templates \`((Key))\` is a value that comes in and \`{{name}}\` a variable of the workspace; expressions are
described in [expressions.md](expressions.md).
`;

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |\n`;

const connectorText = ({ name, definition: { data_type }, optional, keys }: Connector) =>
  `\`${name}\` (${data_type === 'Custom' ? 'anything' : data_type}${keys ? ', by keys' : ''}${optional ? ', optional' : ''})`;

const listed = (connectors: readonly Connector[]) => connectors.map(connectorText).join(', ') || 'none';

function fieldTable(node: NodeType): string {
  const own = Object.entries(fieldsOf(node)).filter(([name]) => !Object.hasOwn(commonFields, name));
  if (own.length === 0) return '';
  const rows = own.map(([name, { type, optional, fallback, options, look }]) => {
    const values = options ? options.map((value) => `\`${value}\``).join(', ') : type;
    const standard = fallback === undefined ? (optional ? '' : '**required**') : `\`${JSON.stringify(fallback)}\``;
    return row([`\`${name}\``, values, standard, look.description]);
  });
  return `\n${row(['field', 'type', 'default', 'what it does'])}${row(Array(4).fill('---'))}${rows.join('')}`;
}

function section(node: NodeType): string {
  const { type, title, description, inputs } = node;
  const outputs = outputsOf(node).filter(({ name }) => name !== 'on_error');
  const example = JSON.stringify(examples[type] ?? {}, null, 2);
  return `
## ${title}

\`${type}\`. ${description} Inputs: ${listed(inputs)}. Outputs: ${listed(outputs)}.
${fieldTable(node)}
\`\`\`json
${example}
\`\`\`
`;
}

/** docs/nodes.md. Nodes are only described here, so none needs the services it works with. */
export const nodesDocument = (): string =>
  intro +
  allNodes({ toolCalls: {} } as NodeDeps)
    .map(section)
    .join('');
