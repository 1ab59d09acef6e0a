import { InvalidRequest, type ValidationError } from '../../errors.ts';
import { toValidationErrors } from '../../schema/validation-errors.ts';
import { fieldsOf } from './catalogue-entry.ts';
import type { ConfigField } from './config-fields.ts';
import type { NodeType } from './node-type.ts';

export interface ReadConfig {
  config: Record<string, unknown>;
  validationErrors: ValidationError[];
}

function readField(name: string, field: ConfigField, given: Record<string, unknown>, at: string[]) {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null) {
    if (field.optional) return { value: field.fallback, validationErrors: [] };
    return {
      validationErrors: [{ loc: [...at, name], msg: 'Field required', type: 'missing', input: given, ctx: {} }],
    };
  }
  const parsed = field.schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { value: parsed.data, validationErrors: [] };
  const [, ...below] = at;
  return {
    validationErrors: toValidationErrors(field.schema, parsed.error.issues, value, '').map((validationError) => {
      const [, ...inside] = validationError.loc;
      return { ...validationError, loc: [at[0] as string, ...below, name, ...inside] };
    }),
  };
}

/** Fills the defaults into a node's config and collects its validation errors. Unknown keys are kept. */
export function readConfig(node: NodeType, given: Record<string, unknown>, at: string[] = ['node_config']): ReadConfig {
  const config: Record<string, unknown> = { ...given };
  const validationErrors: ValidationError[] = [];
  for (const [name, field] of Object.entries(fieldsOf(node))) {
    const read = readField(name, field, given, at);
    validationErrors.push(...read.validationErrors);
    config[name] = read.value;
  }
  return { config, validationErrors };
}

/** Reads a config that was checked before, so validation errors are thrown. */
export function configOf(node: NodeType, given: Record<string, unknown>): Record<string, unknown> {
  const { config, validationErrors } = readConfig(node, given);
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  return config;
}
