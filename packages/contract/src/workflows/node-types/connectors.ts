/** The types of values that an edge carries. `Custom` is any JSON value. */
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

/** An input or output as the catalogue shows it; clients copy it into their definitions. */
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

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

const base = (
  name: string,
  { label = titleOf(name), data_type = 'str', is_list = false, optional = false }: Options,
) => ({
  name,
  label,
  definition: { data_type, is_list },
  propagates_list: false,
  optional,
  rules: [],
  visible: true,
});

/** One value: text unless `data_type` says otherwise. */
export const plain = (name: string, options: Options = {}): Connector => ({
  ...base(name, options),
  type: 'connector',
});

/** One value for each key; the edges of a definition name the keys. */
export const keyed = (name: string, options: Options = {}): Connector => ({
  ...base(name, options),
  type: 'variable_connector',
  keys: [],
  manual: true,
  allow_empty: options.optional ?? false,
});

/** An input whose value comes from the caller of the workflow. */
export const flowInput = (name: string, data_type: DataType, configured_by?: string): Connector => ({
  ...base(name, { data_type }),
  ...(configured_by ? { type: 'variable_type_input', choices: shapes, configured_by } : { type: 'input' }),
});

/** An output whose value is part of the output of the run. */
export const flowOutput = (name: string, data_type: DataType): Connector => ({
  ...base(name, { data_type }),
  type: 'output',
});

const shapes = dataTypes.map((data_type): Shape => ({ data_type, is_list: false }));

export const isKeyed = ({ type }: Connector) =>
  type === 'variable_connector' || type === 'variable_type_size_connector';

/** The output that carries the failure of a node to the nodes connected to it. */
export const onError = plain('on_error', { label: 'On error', data_type: 'dict', optional: true });

const anyText = new Set<DataType>(['str', 'dict', 'list', 'Quote', 'Chat', 'Custom']);
const blobs = new Set<DataType>(['File', 'Image', 'Audio']);

/** Whether an output can be connected to an input. Anything that is text or JSON can be read as text. */
export function isCompatible(output: Shape, input: Shape): boolean {
  const from = output.is_list ? 'list' : output.data_type;
  const to = input.is_list ? 'list' : input.data_type;
  if (from === to || from === 'Custom' || to === 'Custom') return true;
  if (to === 'str') return anyText.has(from);
  if (to === 'list') return true;
  if (to === 'File') return blobs.has(from);
  return from === 'File' && blobs.has(to);
}
