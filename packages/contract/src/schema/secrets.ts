import type { ValidationError } from '../errors.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Names of the fields that are never echoed: the schema marks them `writeOnly`, themselves or what lies in them (a list
 * of secrets, a choice of which one is).
 */
export function secretKeys(root: JsonSchema): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const definitions: Record<string, unknown> = {};

  function look(node: unknown, name: string | undefined): void {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const item of node) look(item, name);
      return;
    }
    const schema = node as JsonSchema;
    Object.assign(definitions, schema['$defs']);
    if (schema['writeOnly'] === true && name !== undefined) found.add(name);
    if (typeof schema['$ref'] === 'string') {
      const visit = `${name} ${schema['$ref']}`;
      if (!seen.has(visit)) look(definitions[schema['$ref'].replace('#/$defs/', '')], name);
      seen.add(visit);
    }
    for (const [key, value] of Object.entries((schema['properties'] as JsonSchema | undefined) ?? {})) look(value, key);
    for (const below of ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'])
      look(schema[below], name);
  }
  look(root, undefined);
  return found;
}

const hidden = '**********';

/** A copy of an echoed input with every secret field's value covered: a refused request must not print secrets. */
function coverSecrets(input: unknown, keys: ReadonlySet<string>): unknown {
  if (typeof input !== 'object' || input === null) return input;
  if (Array.isArray(input)) return input.map((item) => coverSecrets(item, keys));
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, keys.has(key) ? hidden : coverSecrets(value, keys)]),
  );
}

/** Names of unknown fields that are most likely a secret with its name misspelled (`current_password` for `current`). */
const misspelled = (validationErrors: readonly ValidationError[]) =>
  validationErrors
    .filter(({ type }) => type === 'extra_forbidden')
    .flatMap(({ loc }) => loc.slice(-1))
    .filter((name) => /pass|secret|token|key|credential/i.test(name));

/** Removes secrets from validation errors: an error at or below a secret field shows no input. */
export function maskSecretErrors(validationErrors: ValidationError[], known: ReadonlySet<string>): ValidationError[] {
  if (known.size === 0) return validationErrors;
  const keys = new Set([...known, ...misspelled(validationErrors)]);
  return validationErrors.map((validationError) => ({
    ...validationError,
    input:
      validationError.type !== 'missing' && validationError.loc.some((part) => keys.has(part))
        ? hidden
        : coverSecrets(validationError.input, keys),
  }));
}
