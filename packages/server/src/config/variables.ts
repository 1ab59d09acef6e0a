import { z } from 'zod';
import { masterKey, type Values } from '../lib/environment-fields.ts';

/** The environment variables that workspaces can read: never a setting of the program itself, whose names are `own`. */
export const variableVariables = (own: () => readonly string[]) => ({
  ATRIUM_NEW_SECRET_KEY: masterKey('ATRIUM_NEW_SECRET_KEY').describe(
    'The next master key, read by `npm run rotate-key` where ATRIUM_SECRET_KEY sets the present one',
  ),
  ATRIUM_VARIABLE_PREFIX: z
    .string()
    .regex(/^[A-Za-z]\w*_$/, 'ATRIUM_VARIABLE_PREFIX must be a word that ends with _')
    .refine((prefix) => !own().some((name) => name.startsWith(prefix.toUpperCase())), {
      error: 'ATRIUM_VARIABLE_PREFIX would open settings of the program itself to the workspaces',
    })
    .default('ATRIUM_VAR_')
    .describe('How the names of environment variables begin that variables of workspaces may read'),
});

export const variablesFrom = (
  { ATRIUM_NEW_SECRET_KEY, ATRIUM_VARIABLE_PREFIX }: Values<ReturnType<typeof variableVariables>>,
  given: Readonly<Record<string, string>>,
) => ({
  new_secret_key: ATRIUM_NEW_SECRET_KEY,
  variable_prefix: ATRIUM_VARIABLE_PREFIX,
  /** The environment variables that workspaces may read, by name. */
  variable_values: Object.fromEntries(
    Object.entries(given).filter(([name]) => name.startsWith(ATRIUM_VARIABLE_PREFIX)),
  ) as Readonly<Record<string, string>>,
});
