import { z } from 'zod';

const connector = z
  .looseObject({
    name: z.string(),
    label: z.string(),
    definition: z.strictObject({ data_type: z.string(), is_list: z.boolean() }),
    type: z.string(),
    propagates_list: z.boolean(),
    optional: z.boolean(),
    rules: z.array(z.unknown()),
    visible: z.boolean(),
  })
  .meta({ id: 'Connector' });

const configDefinition = z
  .looseObject({
    type: z.string(),
    description: z.string().nullable(),
    visible: z.boolean(),
    optional: z.boolean(),
    default: z.unknown(),
  })
  .meta({ id: 'ConfigDefinition' });

const nodeDefinition = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    small_description: z.string(),
    category: z.string(),
    integrations: z.array(z.union([z.string(), z.array(z.string())])),
    inputs: z.array(connector),
    outputs: z.array(connector),
    config: z.record(z.string(), configDefinition),
    is_available: z.boolean(),
    visible: z.boolean(),
    config_endpoint: z.string().nullable(),
    used_in: z.array(z.string()),
  })
  .meta({ id: 'NodeDefinition' });

export const catalogue = z.array(nodeDefinition);

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback'] as const;
export type RunStatus = (typeof runStatuses)[number];
