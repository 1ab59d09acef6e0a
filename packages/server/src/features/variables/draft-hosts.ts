import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { Variable, VariablePatch } from '@atrium/contract/variables/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { isWithinHosts, readHostPattern } from './allowed-hosts.ts';

/** The fields of a variable that decide where it may be sent. */
type Hosts = Pick<Variable, 'source' | 'is_secret' | 'allowed_hosts'>;

/**
 * Other hosts are asked for with the value: without it a caller who can't read a secret could have it sent to a host of
 * their own. A secret without hosts may be sent anywhere by holders of variables_read, so they may also bind it.
 */
export function requireValueForHosts(scope: Scope, before: Hosts, after: Hosts, patch: VariablePatch): void {
  const isKept = before.is_secret && before.source === 'inline' && after.source === 'inline';
  if (!isKept || patch.inline_value !== undefined || after.allowed_hosts === null) return;
  const isNarrower =
    before.allowed_hosts === null
      ? allows(scope.permissions, 'variables_read')
      : isWithinHosts(after.allowed_hosts, before.allowed_hosts);
  if (isNarrower) return;
  const error = "send the secret's value again to allow hosts that it could not be sent to before";
  throw new InvalidRequest([
    { loc: ['body', 'inline_value'], msg: `Field required: ${error}`, type: 'missing', input: null, ctx: { error } },
  ]);
}

/** The warning in the answer that stores a secret without hosts. */
export const hostWarnings = ({ is_secret, allowed_hosts }: Omit<Hosts, 'source'>) =>
  is_secret && allowed_hosts === null
    ? ([
        {
          loc: ['body', 'allowed_hosts'],
          msg: 'This secret has no allowed_hosts: it is filled in only where a holder of variables_read has saved the action, MCP server, database or workflow. Set allowed_hosts to bind it to its hosts',
          type: 'missing_allowed_hosts',
        },
      ] satisfies RequestWarning[])
    : [];

function wrong(loc: string[], error: string, input: unknown): ValidationError {
  return {
    loc: ['body', 'allowed_hosts', ...loc],
    msg: `Value error, ${error}`,
    type: 'value_error',
    input,
    ctx: { error },
  };
}

/** The hosts as they are stored, without duplicates, and the validation errors of those that can't be parsed. */
export function parseAllowedHosts({ is_secret, allowed_hosts }: Omit<Hosts, 'source'>): {
  allowed_hosts: string[] | null;
  validationErrors: ValidationError[];
} {
  if (allowed_hosts === null) return { allowed_hosts, validationErrors: [] };
  if (!is_secret)
    return {
      allowed_hosts,
      validationErrors: [
        wrong([], 'only a secret can have allowed_hosts; set is_secret, or leave them out', allowed_hosts),
      ],
    };
  const patterns = allowed_hosts.map(readHostPattern);
  const error = 'a host is written as api.example.com or *.example.com, and may end with a port (:8443)';
  const validationErrors = patterns.flatMap((pattern, index) =>
    pattern === null ? [wrong([String(index)], error, allowed_hosts[index])] : [],
  );
  return { allowed_hosts: [...new Set(patterns.flatMap((pattern) => pattern ?? []))], validationErrors };
}
