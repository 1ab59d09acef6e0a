import { isHostListed } from '@atrium/contract/settings/strictness/host-patterns.ts';
import { WebRefused } from './driver.ts';

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'postgres:': '5432',
  'postgresql:': '5432',
};

/** Refuses an address whose host the setting allowed_hosts of a run does not name. */
export function requireAllowedHost(url: URL, hosts: readonly string[] | undefined): void {
  if (!hosts || hosts.length === 0) return;
  const hostname = url.hostname.toLowerCase().replace(/\.$/, '');
  const port = url.port || (defaultPorts[url.protocol] ?? '');
  if (isHostListed(hosts, { hostname, port })) return;
  throw new WebRefused(
    'host_not_allowed',
    `this agent may not reach ${url.host}: its allowed_hosts do not name that host`,
  );
}
