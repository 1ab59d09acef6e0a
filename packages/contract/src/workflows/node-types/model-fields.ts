import * as s from '../../schema/schema.ts';
import { piiDefault, piiEntities } from '../../settings/safety.ts';
import { c } from './config-fields.ts';

/** Fields of every node that asks a model; spread into its config, and handed to `ask` as they are. */
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

/** How such nodes ask: little freedom, since their answers are read by other steps. */
export const lowTemperatureModelFields = {
  ...modelFields,
  temperature: { ...modelFields.temperature, fallback: 0 },
} as const;
