import { allNodeTypes } from './all-node-types.ts';
import { fieldsOf, outputsOf } from './catalogue-entry.ts';
import type { Connector } from './connectors.ts';
import { commonFields, type NodeType } from './node-type.ts';

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
  const { type, title, description, inputs, example } = node;
  const outputs = outputsOf(node).filter(({ name }) => name !== 'on_error');
  return `
## ${title}

\`${type}\`. ${description} Inputs: ${listed(inputs)}. Outputs: ${listed(outputs)}.
${fieldTable(node)}
\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`;
}

/** The text of docs/nodes.md. */
export const nodesDocument = (): string => intro + allNodeTypes.map(section).join('');
