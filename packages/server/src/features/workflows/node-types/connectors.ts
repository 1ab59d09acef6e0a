/** What can flow over an edge. `Custom` is any JSON value. */
export const dataTypes = ['str', 'dict', 'list', 'Image', 'Audio', 'File', 'Quote', 'Custom', 'Chat'] as const;
export type DataType = (typeof dataTypes)[number];

export const connectorTypes = [
  'connector',
  'input',
  'output',
  'variable_connector',
  'variable_type_connector',
  'variable_type_size_connector',
  'variable_type_input',
  'variable_type_output',
] as const;

interface Shape {
  data_type: DataType;
  is_list: boolean;
}

/** A connector as the catalogue shows it, whole; clients copy it into their definitions. */
export interface Connector {
  name: string;
  label: string;
  definition: Shape;
  type: (typeof connectorTypes)[number];
  propagates_list: boolean;
  optional: boolean;
  rules: readonly unknown[];
  visible: boolean;
  keys?: readonly string[];
  manual?: boolean;
  allow_empty?: boolean;
  choices?: readonly Shape[];
  configured_by?: string;
}

interface Options {
  label?: string;
  data_type?: DataType;
  is_list?: boolean;
  optional?: boolean;
}

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

const base = (
  name: string,
  { label = titled(name), data_type = 'str', is_list = false, optional = false }: Options,
) => ({
  name,
  label,
  definition: { data_type, is_list },
  propagates_list: false,
  optional,
  rules: [],
  visible: true,
});

/** One value: text unless told otherwise. */
export const plain = (name: string, options: Options = {}): Connector => ({
  ...base(name, options),
  type: 'connector',
});

/** As many values as there are keys; the keys are named by whoever draws the edges. */
export const keyed = (name: string, options: Options = {}): Connector => ({
  ...base(name, options),
  type: 'variable_connector',
  keys: [],
  manual: true,
  allow_empty: options.optional ?? false,
});

/** Where a workflow begins: its value comes from outside. */
export const flowInput = (name: string, data_type: DataType, configured_by?: string): Connector => ({
  ...base(name, { data_type }),
  ...(configured_by ? { type: 'variable_type_input', choices: shapes, configured_by } : { type: 'input' }),
});

/** Where a workflow ends: what comes out of it is the output of the run. */
export const flowOutput = (name: string, data_type: DataType): Connector => ({
  ...base(name, { data_type }),
  type: 'output',
});

const shapes = dataTypes.map((data_type): Shape => ({ data_type, is_list: false }));

export const isKeyed = ({ type }: Connector) =>
  type === 'variable_connector' || type === 'variable_type_size_connector';

/** What a node gives when it fails, to whoever is connected to it. */
export const onError = plain('on_error', { label: 'On error', data_type: 'dict', optional: true });

const anyText = new Set<DataType>(['str', 'dict', 'list', 'Quote', 'Chat', 'Custom']);
const blobs = new Set<DataType>(['File', 'Image', 'Audio']);

/** Whether what one connector gives can be taken by another. Anything that is text or JSON can be read as text. */
export function fits(from: Shape, to: Shape): boolean {
  const given = from.is_list ? 'list' : from.data_type;
  const taken = to.is_list ? 'list' : to.data_type;
  if (given === taken || given === 'Custom' || taken === 'Custom') return true;
  if (taken === 'str') return anyText.has(given);
  if (taken === 'list') return true;
  if (taken === 'File') return blobs.has(given);
  return given === 'File' && blobs.has(taken);
}

/** A value as the connector that takes it expects it. */
export function taken({ definition: { data_type, is_list } }: Connector, value: unknown): unknown {
  if (is_list || data_type === 'list') return Array.isArray(value) ? value : [value];
  if (data_type !== 'str' || typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
