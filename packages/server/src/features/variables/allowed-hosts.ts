import { isIP } from 'node:net';

/** Where a request goes, in the one spelling that URLs have: lower case, punycode, no trailing dot. */
export interface HostAndPort {
  hostname: string;
  port: number;
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
};

/** The parser that connections are opened by also writes the name; null for an invalid host. */
function normalizeHost(text: string): string | null {
  const hostname = URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '');
  return hostname || null;
}

/** The host and port that an address leads to; null for one that names none. */
export function hostOfAddress(address: string): HostAndPort | null {
  const url = URL.parse(address.trim());
  const port = url && (url.port ? Number(url.port) : defaultPorts[url.protocol]);
  // Schemes other than http keep a host as it was written: it is read again as the driver reads it.
  const hostname = url?.hostname ? normalizeHost(url.hostname) : null;
  return hostname && port ? { hostname, port } : null;
}

const withPort = /^(.+?)(?::(\d{1,5}))?$/;
/** Characters of addresses and templates, which could make another host of the entry. */
const notInHosts = /[\s/?#@\\*%{}<>^|]/;

/** An entry of `allowed_hosts` as it is stored; null for one that is none: `host`, `*.host`, either with `:port`. */
export function readHostPattern(text: string): string | null {
  const given = text.trim();
  const isWild = given.startsWith('*.');
  const rest = isWild ? given.slice(2) : given;
  if (rest === '' || notInHosts.test(rest)) return null;
  const [, name = '', port] = (isIP(rest) === 6 ? [rest, `[${rest}]`] : withPort.exec(rest)) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null;
  if (name.includes(':') && !/^\[[^[\]]*\]$/.test(name)) return null;
  const hostname = normalizeHost(name);
  if (hostname === null) return null;
  // `*.com` would be half of the internet, and an address has nothing below it.
  if (isWild && (!hostname.includes('.') || hostname.startsWith('[') || isIP(hostname))) return null;
  return `${isWild ? '*.' : ''}${hostname}${port === undefined ? '' : `:${Number(port)}`}`;
}

function partsOf(pattern: string): { name: string; port: number | undefined } {
  const [, name = '', port] = /^(.*?\]|[^:]*)(?::(\d+))?$/.exec(pattern) ?? [];
  return { name, port: port === undefined ? undefined : Number(port) };
}

const covers = (name: string, hostname: string) =>
  name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : name === hostname;

/** Whether a destination is one of the hosts. A pattern without a port stands for all ports of its host. */
export const isAllowedHost = (patterns: readonly string[], { hostname, port }: HostAndPort): boolean =>
  patterns.some((pattern) => {
    const { name, port: own } = partsOf(pattern);
    return covers(name, hostname) && (own === undefined || own === port);
  });

/** Whether every host of one list is allowed by another list. */
export const isWithinHosts = (after: readonly string[], before: readonly string[]): boolean =>
  after.every((pattern) => {
    const { name, port } = partsOf(pattern);
    return before.some((other) => {
      const { name: own, port: ownPort } = partsOf(other);
      return (own === name || covers(own, name)) && (ownPort === undefined || ownPort === port);
    });
  });
