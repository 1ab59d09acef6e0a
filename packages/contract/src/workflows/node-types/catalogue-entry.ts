import type { ConfigField } from './config-fields.ts';
import { type Connector, onError } from './connectors.ts';
import { commonFields, type NodeType } from './node-type.ts';

/** All outputs of a node, `on_error` last. */
export const outputsOf = (node: NodeType): Connector[] => (node.fails ? [...node.outputs, onError] : [...node.outputs]);

/** All fields of a node's config, the common ones last. */
export const fieldsOf = (node: NodeType): Record<string, ConfigField> =>
  node.fails ? { ...node.config, ...commonFields } : node.config;

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

function fieldEntry(name: string, { type, look, optional, fallback, options, text, refers_to }: ConfigField) {
  const { description, label = titled(name), tab = 'Configuration', advanced = false, tooltip = null } = look;
  const shownAs = options ? 'select' : (text ?? (refers_to ? 'reference' : type));
  return {
    type,
    description,
    visible: true,
    optional,
    default: fallback ?? null,
    advanced,
    tab,
    rules: [],
    display: {
      type: shownAs,
      label,
      tooltip,
      ...(options && { options }),
      ...(refers_to && { refers_to }),
    },
  };
}

/** One element of the catalogue. Clients load the whole catalogue when they start; one invalid entry stops them. */
export function catalogueEntryOf(node: NodeType) {
  return {
    type: node.type,
    title: node.title,
    description: node.description,
    small_description: node.description.split('. ', 1)[0] as string,
    category: node.category,
    integrations: [] as string[],
    inputs: [...node.inputs],
    outputs: outputsOf(node),
    config: Object.fromEntries(Object.entries(fieldsOf(node)).map(([name, field]) => [name, fieldEntry(name, field)])),
    is_available: true,
    visible: true,
    config_endpoint: null,
    used_in: [...node.used_in],
  };
}
