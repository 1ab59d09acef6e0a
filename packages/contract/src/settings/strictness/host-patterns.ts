import { strictness } from './strictness.ts';

/** The entry of a list that reaches no host; an empty list restricts nothing. */
export const noHost = 'none';

/** `host`, `*.host` for all below it, either with `:port`, or `none`. */
export const hostPattern = /^(?:none|(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?|\[[\da-f:.]+\](?::\d{1,5})?)$/;

function partsOf(pattern: string): { name: string; port: string | undefined } {
  const [, name = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(pattern) ?? [];
  return { name, port };
}

const covers = (name: string, other: string) =>
  name === other || (name.startsWith('*.') && other.endsWith(name.slice(1)));

/** The pattern of the hosts that two patterns share. */
function sharedPattern(one: string, two: string): string | undefined {
  const [a, b] = [partsOf(one), partsOf(two)];
  const name = covers(a.name, b.name) ? b.name : covers(b.name, a.name) ? a.name : undefined;
  if (name === undefined || (a.port !== undefined && b.port !== undefined && a.port !== b.port)) return undefined;
  const port = a.port ?? b.port;
  return port === undefined ? name : `${name}:${port}`;
}

/** Whether a list lets a host through. An empty list restricts nothing. */
export const isHostListed = (patterns: readonly string[], { hostname, port }: { hostname: string; port: string }) =>
  patterns.length === 0 ||
  patterns.some((pattern) => sharedPattern(pattern, `${hostname}:${port}`) === `${hostname}:${port}`);

const isWithin = (before: readonly string[], after: readonly string[]) =>
  before.length === 0 ||
  (after.length > 0 &&
    after.every((entry) => entry === noHost || before.some((pattern) => sharedPattern(pattern, entry) === entry)));

/** Hosts can be removed, and none can be added. */
export const whenFewerHosts = strictness<string[]>('fewer hosts', isWithin, (own, bound) => {
  if (bound.length === 0) return own;
  if (own.length === 0) return bound;
  const shared = own.flatMap((one) => bound.flatMap((two) => sharedPattern(one, two) ?? []));
  const hosts = [...new Set(shared)].filter((pattern) => pattern !== noHost);
  return hosts.length > 0 ? hosts : [noHost];
});
