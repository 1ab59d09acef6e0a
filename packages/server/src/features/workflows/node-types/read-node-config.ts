import { type Fault, InvalidRequest } from '@atrium/contract/errors.ts';
import { faultsOf } from '@atrium/contract/schema/faults.ts';
import type { ConfigField } from './config-fields.ts';
import type { NodeType } from './define-node.ts';
import { fieldsOf } from './node-catalogue.ts';

export interface ReadConfig {
  config: Record<string, unknown>;
  faults: Fault[];
}

function readField(name: string, field: ConfigField, given: Record<string, unknown>, at: string[]) {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null) {
    if (field.optional) return { value: field.fallback, faults: [] };
    return { faults: [{ loc: [...at, name], msg: 'Field required', type: 'missing', input: given, ctx: {} }] };
  }
  const parsed = field.schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { value: parsed.data, faults: [] };
  const [, ...below] = at;
  return {
    faults: faultsOf(field.schema, parsed.error.issues, value, '').map((fault) => {
      const [, ...inside] = fault.loc;
      return { ...fault, loc: [at[0] as string, ...below, name, ...inside] };
    }),
  };
}

/** A node's config with its defaults filled in, and everything that is wrong with it. Keys we do not know are kept. */
export function readConfig(node: NodeType, given: Record<string, unknown>, at: string[] = ['node_config']): ReadConfig {
  const config: Record<string, unknown> = { ...given };
  const faults: Fault[] = [];
  for (const [name, field] of Object.entries(fieldsOf(node))) {
    const read = readField(name, field, given, at);
    faults.push(...read.faults);
    config[name] = read.value;
  }
  return { config, faults };
}

/** The same for a config that has been checked before. */
export function configOf(node: NodeType, given: Record<string, unknown>): Record<string, unknown> {
  const { config, faults } = readConfig(node, given);
  if (faults.length) throw new InvalidRequest(faults);
  return config;
}
