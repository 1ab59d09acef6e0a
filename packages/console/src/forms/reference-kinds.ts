import type { Atrium } from '@atrium/sdk';
import type { Reference } from './form-types.ts';

export interface Named {
  id: string;
  name: string;
  help?: string | undefined;
}
export type ReferenceKind = NonNullable<Reference>;

interface Kind {
  /** The first part of its query keys: live events mark them as old. */
  plural: string;
  list(client: Atrium, search: string): Promise<Named[]>;
  get(client: Atrium, id: string): Promise<Named>;
}

const size = 20;
const view = 'summary';
const query = (search: string) => ({ size, view, ...(search && { search }) }) as const;
const named = <T extends { id: string; name: string; description?: string | null | undefined }>(item: T): Named => ({
  id: item.id,
  name: item.name,
  help: item.description?.slice(0, 120) || undefined,
});

const namedFile = ({ id, filename }: { id: string; filename: string }): Named => ({ id, name: filename });

type AudienceKind = 'person' | 'user_group';
const audience = async (client: Atrium, kind: AudienceKind, { search, id }: { search?: string; id?: string }) =>
  (await client.audience.list({ kind, size, ...(search && { search }), ...(id && { id }) })).items;
async function fromAudience(client: Atrium, kind: AudienceKind, id: string): Promise<Named> {
  const [found] = await audience(client, kind, { id });
  if (!found) throw new Error(`There is no ${kind} ${id}`);
  return found;
}

/** How records of each kind are found by their names. Kinds that belong to another record are typed by their id. */
export const referenceKinds: Partial<Record<ReferenceKind, Kind>> = {
  knowledge_base: {
    plural: 'knowledge-bases',
    list: async (client, search) => (await client.knowledgeBases.list(query(search))).items.map(named),
    get: async (client, id) => named(await client.knowledgeBases.get(id)),
  },
  workflow: {
    plural: 'workflows',
    list: async (client, search) => (await client.workflows.list(query(search))).items.map(named),
    get: async (client, id) => named(await client.workflows.get(id)),
  },
  agent: {
    plural: 'agents',
    list: async (client, search) => (await client.agents.list(query(search))).items.map(named),
    get: async (client, id) => named(await client.agents.get(id)),
  },
  table: {
    plural: 'tables',
    list: async (client, search) => (await client.tables.list(query(search))).items.map(named),
    get: async (client, id) => named(await client.tables.get(id)),
  },
  variable: {
    plural: 'variables',
    list: async (client, search) => (await client.variables.list(query(search))).items.map(named),
    get: async (client, id) => named(await client.variables.get(id)),
  },
  file: {
    plural: 'files',
    list: async (client, search) => (await client.files.list(query(search))).items.map(namedFile),
    get: async (client, id) => namedFile(await client.files.get(id)),
  },
  person: {
    plural: 'audience',
    list: (client, search) => audience(client, 'person', { search }),
    get: (client, id) => fromAudience(client, 'person', id),
  },
  user_group: {
    plural: 'audience',
    list: (client, search) => audience(client, 'user_group', { search }),
    get: (client, id) => fromAudience(client, 'user_group', id),
  },
  vault_credential: {
    plural: 'vault-credentials',
    list: async (client, search) => (await client.vaultCredentials.list(query(search))).items.map(named),
    get: async (client, id) => named(await client.vaultCredentials.get(id)),
  },
};
