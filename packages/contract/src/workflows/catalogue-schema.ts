import * as z from 'zod';

/** The answer of `GET /v1/nodes`, made by `catalogueEntryOf` from the node types. */

const shape = z.strictObject({
  data_type: z
    .string()
    .describe('The type of the value: `str`, `dict`, `list`, `File`, …; `Custom` is any JSON value.'),
  is_list: z.boolean().describe('Whether the value is a list of that type.'),
});

const connector = z
  .looseObject({
    name: z.string().describe('The name that edges refer to; unique among the inputs, or outputs, of the node.'),
    label: z.string().describe('The name that people see.'),
    definition: shape.describe('The type of the value.'),
    type: z.string().describe('`connector` for one value, `variable_connector` for one value for each key.'),
    propagates_list: z.boolean().describe('Always false.'),
    optional: z.boolean().describe('Whether the node runs without a value here.'),
    rules: z.array(z.unknown()).describe('Always empty.'),
    visible: z.boolean().describe('Whether editors show the connector.'),
  })
  .meta({ id: 'Connector' });

const configDefinition = z
  .looseObject({
    type: z.string().describe('The type of the value: `str`, `int`, `float`, `bool`, `list`, `dict` or `Any`.'),
    description: z.string().nullable().describe('What the field does.'),
    visible: z.boolean().describe('Whether editors show the field.'),
    optional: z.boolean().describe('Whether the field can be left out.'),
    default: z.unknown().describe('The value when the field is left out. Null: none.'),
  })
  .meta({ id: 'ConfigDefinition' });

const nodeDefinition = z
  .strictObject({
    type: z.string().describe('The type that nodes of a definition name.'),
    title: z.string().describe('The name that people see.'),
    description: z.string().describe('What the node does.'),
    small_description: z.string().describe('The first sentence of the description.'),
    category: z.string().describe('The group of the palette that editors show the node in.'),
    integrations: z.array(z.union([z.string(), z.array(z.string())])).describe('Always empty.'),
    inputs: z.array(connector).describe('The inputs of the node.'),
    outputs: z.array(connector).describe('The outputs of the node, `on_error` last where the node can fail.'),
    config: z.record(z.string(), configDefinition).describe('The fields of `node_config`, by their names.'),
    is_available: z.boolean().describe('Whether the node can be used on this server.'),
    visible: z.boolean().describe('Whether editors show the node.'),
    config_endpoint: z.string().nullable().describe('Always null.'),
    used_in: z.array(z.string()).describe('The types of workflow that may contain the node.'),
  })
  .meta({ id: 'NodeDefinition' });

export const catalogue = z.array(nodeDefinition);
