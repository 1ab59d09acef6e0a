import * as s from '../../schema/schema.ts';
import { piiDefault, piiEntities } from '../../settings/keys/safety.ts';
import { c } from './config-fields.ts';

/** Fields of every node that calls a model; the node spreads them into its config and passes them to `ask`. */
export const modelFields = {
  model: c.list(s.str({ min: 1, max: 200 }), {
    default: ['preset:balanced'],
    max: 20,
    tab: 'Model',
    description: 'Models that may answer, the first that does is taken; a preset stands for several',
  }),
  temperature: c.number({ min: 0, max: 2, default: 0.7, tab: 'Model', advanced: true, description: 'How free it is' }),
  max_tokens: c.int({
    min: 1,
    max: 200_000,
    default: 4096,
    tab: 'Model',
    advanced: true,
    description: 'How long the answer may be',
  }),
  anonymize: c.list(s.oneOf(piiEntities), {
    default: [...piiDefault],
    max: 50,
    tab: 'Safety',
    advanced: true,
    description: 'Kinds of private values that the model is told placeholders for',
  }),
} as const;

/** For nodes whose answers other nodes read: a temperature of 0. */
export const lowTemperatureModelFields = {
  ...modelFields,
  temperature: { ...modelFields.temperature, fallback: 0 },
} as const;
