import type { SecretDestination } from '../tools/ports.ts';
import { namesIn } from '../variable-templates/service.ts';
import { type HostAndPort, hostOfAddress, isAllowedHost } from './allowed-hosts.ts';
import type { VariableRow } from './store.ts';
import { VariableUnavailable } from './variable-unavailable.ts';

/** Leaves out the host of an address that is itself a secret. */
const shownHost = ({ address }: SecretDestination, { hostname, port }: HostAndPort) =>
  namesIn(address).handles.size > 0 ? 'the host of this address' : `${hostname}:${port}`;

/**
 * Refuses a value that may not go to a destination. `filled` is its address with secrets in it, as it will be used.
 * `isRestricted`: the caller who saved the destination lacked variables_read.
 */
export function requireDestination(
  { name, allowed_hosts }: Pick<VariableRow, 'name' | 'allowed_hosts'>,
  to: SecretDestination,
  filled: string,
  isRestricted: boolean,
): void {
  if (allowed_hosts === null) {
    if (!isRestricted) return;
    throw new VariableUnavailable(
      `The variable ${name} has no allowed_hosts, so it is filled in only where a holder of the permission ` +
        'variables_read has saved the address that it is sent to; have a holder save it again, or set allowed_hosts',
    );
  }
  const host = hostOfAddress(filled);
  if (host && isAllowedHost(allowed_hosts, host)) return;
  const where = host ? shownHost(to, host) : 'an address without a host';
  throw new VariableUnavailable(
    `The secret ${name} may not be sent to ${where}: its allowed_hosts do not include that host`,
  );
}
