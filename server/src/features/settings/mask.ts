import { allows } from '../../lib/permissions.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Settings } from './settings.ts';

const hidden = '********';
const template = /\{\{[^{}]+\}\}/;

type Headers = Record<string, string>;

const maskHeaders = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, template.test(value) ? value : hidden]));

const maskEntry = <E extends { headers?: Headers | undefined }>(entry: E): E =>
  entry.headers ? { ...entry, headers: maskHeaders(entry.headers) } : entry;

/** Whether a caller only runs agents: then what they send to other systems to be let in is not for its eyes. */
export const seesMasked = ({ permissions }: Pick<Scope, 'permissions'>) => !allows(permissions, 'agents_edit');

/** Settings with the values of headers covered. A `{{template}}` stays: it names a secret and holds none. */
export const maskSettings = (settings: Settings): Settings => ({
  ...settings,
  mcp_servers: settings.mcp_servers.map(maskEntry),
  actions: settings.actions.map(maskEntry),
});
