import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type ChannelName,
  type ConfigValues,
  channelConfigs,
  checkConfig,
} from '@atrium/contract/deployments/channel-config.ts';
import type {
  Deployment,
  DeploymentCreate,
  DeploymentMade,
  DeploymentPatch,
  WorkspaceDeploymentsQuery,
} from '@atrium/contract/deployments/schema.ts';
import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import { healthOf } from '@atrium/contract/health.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import { type Owned, pausedReason, shownOwner } from '../../execution/owner-rights.ts';
import { newId } from '../../lib/ids.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { omit } from '../../lib/omit.ts';
import { pick } from '../../lib/pick.ts';
import type { Principal, Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import type { Keyring } from '../keyring/service.ts';
import type { TypedAddresses } from '../typed-addresses/service.ts';
import * as store from './store.ts';

export { pauseDeploymentsOf } from './store.ts';

/** A deployment that takes messages, with its secrets: it never leaves the server. */
export interface LiveDeployment extends Omit<store.LiveRow, 'secrets' | keyof Owned> {
  secrets: Readonly<Record<string, string>>;
}

export interface Deployments {
  list(scope: Scope, agent_id: string, query: PageQuery & ListFilter): Promise<Paged<Deployment>>;
  /** The deployments of all agents that are not deleted. */
  listOfWorkspace(scope: Scope, query: WorkspaceDeploymentsQuery): Promise<Paged<Deployment>>;
  get(scope: Scope, agent_id: string, id: string): Promise<Deployment>;
  create(scope: Scope, agent_id: string, input: DeploymentCreate): Promise<DeploymentMade>;
  update(scope: Scope, agent_id: string, id: string, patch: DeploymentPatch): Promise<Deployment>;
  /** Makes the caller the owner: from then on conversations act with what the caller holds. */
  takeOver(scope: Scope, agent_id: string, id: string): Promise<Deployment>;
  /** Gives the page a new address, or replaces the generated secrets; the old ones stop working at once. */
  rotate(scope: Scope, agent_id: string, id: string): Promise<DeploymentMade>;
  remove(scope: Scope, agent_id: string, id: string): Promise<void>;
  /** Stores a deployment of an archive, switched off, without secrets and with a new address. */
  restore(scope: Scope, deployment: RestoredDeployment): Promise<void>;
  /** The deployment if it accepts messages; undefined also for a text that is no id. */
  live(id: string): Promise<LiveDeployment | undefined>;
  byToken(token: string): Promise<LiveDeployment | undefined>;
  /** The permissions of conversations of a deployment; undefined when it accepts no messages. */
  permissionsOf(id: string): Promise<ReadonlySet<Permission> | undefined>;
  noteMessage: typeof store.noteMessage;
  /** Stores or, with null, clears the last error. */
  noteError(deployment: LiveDeployment, message: string | null): Promise<unknown>;
}

export type RestoredDeployment = Pick<
  store.NewDeployment,
  'id' | 'agent_id' | 'channel' | 'name' | 'custom_instructions' | 'config'
>;

/** Checks a configuration whose secrets are given later; it must have none. */
export function checkWithoutSecrets(channel: ChannelName, config: ConfigValues): void {
  const { secrets } = channelConfigs[channel];
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  const found = secrets.find((name) => given[name] !== undefined);
  if (found) throw invalid(['body', 'config', found], 'an archive has no secrets', null);
  checkConfig(channel, given, { ...given, ...Object.fromEntries(secrets.map((name) => [name, hidden])) });
}

/** Refuses to switch on a deployment that lacks a secret, such as one that was imported. */
function requireSecrets(channel: ChannelName, config: ConfigValues, secrets: Readonly<Record<string, string>>): void {
  checkConfig(channel, {}, { ...config, ...secrets });
  const missing = channelConfigs[channel].made.find((name) => secrets[name] === undefined);
  if (missing) throw invalid(['body', 'config', missing], 'give one, or have one made by /rotate', null);
}

/** The addresses of a configuration that this server calls. */
const addressFields = ['reply_url', 'api_url', 'openid_url', 'token_url'] as const;

const isId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

export const secretsPurpose = (id: string) => `deployment ${id}`;
export const pagePurpose = (id: string) => `deployment page ${id}`;

const hidden = '********';
/** The permissions that agents need; a deployment gets those of them that its author holds. */
const handedOn: readonly Permission[] = [
  ...(['agents_run', 'flows_run', 'kbs_query', 'tables_read', 'tables_edit', 'sandboxes_run'] as const),
  ...(['files_read', 'files_edit', 'variables_read'] as const),
];

/** Why a deployment takes no messages though it is switched on. */
const pausedReasonOf = (row: Owned) => pausedReason(row, ['agents_run', 'agents_edit']);

const permissionsOf = ({ permissions }: Pick<Scope, 'permissions'>) =>
  handedOn.filter((name) => allows(permissions, name));

const hashOf = (token: string) => createHash('sha256').update(`deployment page\0${token}`).digest();
const newToken = () => randomBytes(24).toString('base64url');
/** As Standard Webhooks writes them. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const hostOf = (url: unknown) => (typeof url === 'string' ? URL.parse(url)?.origin : undefined);

/** What the audit log says of a deployment: secrets only as changed. */
const auditNoteOf = (row: store.DeploymentRow, before?: store.DeploymentRow) => {
  const fields = ({ config, ...rest }: store.DeploymentRow) => ({
    ...pick(rest, ['channel', 'name', 'enabled', 'custom_instructions', 'permissions', 'secrets', 'token']),
    settings: config,
  });
  return {
    target: { kind: 'deployment', id: row.id, name: row.name },
    ...{ before: before ? fields(before) : null, after: fields(row) },
  };
};

export function makeDeployments(deps: {
  db: Database;
  keyring: Keyring;
  agents: Agents;
  typedAddresses: TypedAddresses;
}): Deployments {
  const { db, keyring, agents, typedAddresses } = deps;
  type Secrets = Record<string, string>;

  const openSecrets = async (row: Pick<store.DeploymentRow, 'id' | 'group_id' | 'secrets'>): Promise<Secrets> =>
    row.secrets === null ? {} : JSON.parse(await keyring.open(row.group_id, secretsPurpose(row.id), row.secrets));

  async function shown(row: store.DeploymentRow): Promise<Deployment> {
    const { token, last_error, last_error_at, ...rest } = omit(row, ['secrets', 'permissions', 'owner_permissions']);
    const { defaults, needed, secrets: names } = channelConfigs[row.channel];
    const open = await openSecrets(row);
    const page = token && (await keyring.open(row.group_id, pagePurpose(row.id), token));
    const plain = [...needed, ...Object.keys(defaults)].map((name) => [
      name,
      row.config[name as 'title'] ?? defaults[name as 'title'] ?? null,
    ]);
    const paused_reason = pausedReasonOf(row);
    return {
      ...rest,
      owner: shownOwner(row),
      paused_reason,
      health: healthOf({ ...row, paused_reason, last_used_at: row.last_message_at }),
      config: Object.fromEntries([...plain, ...names.map((name) => [name, open[name] === undefined ? null : hidden])]),
      inbound_path: `/v1/channels/${row.id}/${row.channel}`,
      page_path: page && `/chat/${page}`,
      embed_path: page && `/embed/${page}.js`,
      last_error: last_error === null ? null : { message: last_error, at: last_error_at as string },
    };
  }

  /** Refuses instructions for an agent whose prompt is locked, unless the caller could remove the lock. */
  async function checkAgent(scope: Scope, agent_id: string, instructions: string | null | undefined): Promise<void> {
    const { definition } = await agents.get(scope, agent_id);
    if (!instructions || allows(scope.permissions, 'org:admin')) return;
    if (parseStored<{ prompt_lock?: boolean }>(definition).prompt_lock)
      throw forbidden('These settings are locked: deployment_custom_instructions', 'settings_locked');
  }

  /**
   * Merges the given fields over the stored ones, split into config and secrets; a masked secret counts as not given.
   */
  function merged(channel: ChannelName, given: ConfigValues, before: { config: ConfigValues; secrets: Secrets }) {
    const { secrets: names, sent_to, signed_for = {}, defaults } = channelConfigs[channel];
    const said = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined && value !== hidden),
    );
    checkConfig(channel, said, { ...before.config, ...before.secrets, ...said });
    for (const field of addressFields)
      typedAddresses.requireReachable(said[field], ['body', 'config', field], before.config[field]);
    for (const [field, secret] of Object.entries(sent_to) as ['api_url', 'bot_token'][]) {
      const moved =
        said[field] !== undefined && !isDeepStrictEqual(said[field], before.config[field] ?? defaults[field]);
      // An editor must not learn a secret by having it sent to another address.
      if (moved && before.secrets[secret] !== undefined && said[secret] === undefined)
        throw invalid(['body', 'config', field], `another ${field} needs the ${secret} to be given again`, said[field]);
    }
    for (const [field, secret] of Object.entries(signed_for) as ['reply_url', 'signing_secret'][]) {
      const [from, to] = [hostOf(before.config[field]), hostOf(said[field])];
      if (from && to && from !== to && said[secret] === undefined)
        throw invalid(['body', 'config', field], `another host needs the ${secret} to be given again`, said[field]);
    }
    const isSecret = (name: string) => names.some((secret) => secret === name);
    const part = (wanted: boolean) =>
      Object.fromEntries(Object.entries(said).filter(([name]) => isSecret(name) === wanted));
    return {
      config: { ...before.config, ...part(false) } as ConfigValues,
      secrets: { ...before.secrets, ...part(true) } as Secrets,
    };
  }

  const sealed = async (workspace_id: string, id: string, secrets: Secrets) =>
    Object.keys(secrets).length ? keyring.seal(workspace_id, secretsPurpose(id), JSON.stringify(secrets)) : null;

  async function find(from: Db, scope: Scope, agent_id: string, id: string): Promise<store.DeploymentRow> {
    const row = await store.findDeployment(from, scope.workspace_id, agent_id, id);
    if (!row) throw notFound('deployment');
    return row;
  }

  /** Undefined while it is paused. It has those of its permissions that its owner holds now. */
  async function opened(row: store.LiveRow | undefined): Promise<LiveDeployment | undefined> {
    if (!row || pausedReasonOf(row)) return undefined;
    const held = permissionsOf({ permissions: new Set(row.owner_permissions) });
    const permissions = row.permissions.filter((permission) => held.includes(permission));
    const live = omit(row, ['owner', 'owner_permissions', 'paused_reason']);
    return { ...live, permissions, secrets: await openSecrets(row) };
  }

  const giveTo = (tx: Db, scope: Scope, id: string) =>
    store.setOwner(tx, scope.workspace_id, {
      ...{ id, owner_id: scope.owner_id ?? null, permissions: permissionsOf(scope) },
    });

  const live = async (id: string) => (isId(id) ? opened(await store.findLive(db, id)) : undefined);

  return {
    async list(scope, agent_id, query) {
      await agents.get(scope, agent_id);
      const window = pageOf(query);
      const { rows, total, last } = await store.listDeployments(db, scope.workspace_id, agent_id, query, window);
      return pageAnswer(await Promise.all(rows.map(shown)), total, window, last);
    },

    async listOfWorkspace(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listOfWorkspace(db, scope.workspace_id, query, window);
      return pageAnswer(await Promise.all(rows.map(shown)), total, window, last);
    },

    async get(scope, agent_id, id) {
      await agents.get(scope, agent_id);
      return shown(await find(db, scope, agent_id, id));
    },

    async create(scope, agent_id, input) {
      await checkAgent(scope, agent_id, input.custom_instructions);
      const { channel } = input;
      const id = newId();
      const { made, defaults } = channelConfigs[channel];
      const given = merged(channel, input.config ?? {}, { config: {}, secrets: {} });
      const made_secrets = Object.fromEntries(
        made.filter((name) => given.secrets[name] === undefined).map((name) => [name, newSecret()]),
      );
      const token = channel === 'web' ? newToken() : null;
      const row: store.NewDeployment = {
        ...{ id, agent_id, channel, name: input.name ?? channel, enabled: input.enabled ?? true },
        custom_instructions: input.custom_instructions || null,
        config: { ...defaults, ...given.config },
        secrets: await sealed(scope.workspace_id, id, { ...given.secrets, ...made_secrets }),
        token: token && (await keyring.seal(scope.workspace_id, pagePurpose(id), token)),
        token_hash: token === null ? null : hashOf(token),
        permissions: permissionsOf(scope),
        owner_id: scope.owner_id ?? null,
      };
      return db.write(scope, async (on) => {
        const inserted = await store.insertDeployment(on, scope.workspace_id, row);
        scope.audit?.note(auditNoteOf(inserted));
        return { ...(await shown(inserted)), made_secrets };
      });
    },

    async update(scope, agent_id, id, patch) {
      await checkAgent(scope, agent_id, patch.custom_instructions);
      // The key is at hand before a connection is held, since fetching it takes another.
      const seal = await keyring.sealer(scope.workspace_id);
      await openSecrets(await find(db, scope, agent_id, id));
      return db.transaction(scope, async (tx) => {
        const before = await store.lockDeployment(tx, scope.workspace_id, agent_id, id);
        if (!before) throw notFound('deployment');
        const was = { config: before.config, secrets: await openSecrets(before) };
        const after = patch.config ? merged(before.channel, patch.config, was) : was;
        if (patch.enabled) requireSecrets(before.channel, after.config, after.secrets);
        const secrets = Object.keys(after.secrets).length
          ? seal(secretsPurpose(id), JSON.stringify(after.secrets))
          : null;
        const row = await store.updateDeployment(tx, scope.workspace_id, {
          ...{ id, config: after.config, secrets },
          name: patch.name ?? before.name,
          enabled: patch.enabled ?? before.enabled,
          custom_instructions: patch.custom_instructions ?? before.custom_instructions,
          permissions: before.permissions,
        });
        // The new instructions or configuration act for the caller that wrote them.
        const stored = patch.custom_instructions || patch.config ? await giveTo(tx, scope, id) : row;
        scope.audit?.note(auditNoteOf(stored, before));
        return shown(stored);
      });
    },

    async takeOver(scope, agent_id, id) {
      await agents.get(scope, agent_id);
      return db.transaction(scope, async (tx) => {
        const before = await store.lockDeployment(tx, scope.workspace_id, agent_id, id);
        if (!before) throw notFound('deployment');
        await checkAgent(scope, agent_id, before.custom_instructions);
        const after = await giveTo(tx, scope, id);
        scope.audit?.note(auditNoteOf(after, before));
        return shown(after);
      });
    },

    async rotate(scope, agent_id, id) {
      await agents.get(scope, agent_id);
      const before = await find(db, scope, agent_id, id);
      const { made } = channelConfigs[before.channel];
      if (before.channel === 'web') {
        const token = newToken();
        const box = await keyring.seal(scope.workspace_id, pagePurpose(id), token);
        return db.write(scope, async (on) => ({
          ...(await shown(await store.setToken(on, scope.workspace_id, id, hashOf(token), box))),
          made_secrets: {},
        }));
      }
      if (made.length === 0)
        throw conflict(`The secrets of ${before.channel} are made there; PATCH brings new ones here`);
      const made_secrets = Object.fromEntries(made.map((name) => [name, newSecret()]));
      const secrets = await sealed(scope.workspace_id, id, { ...(await openSecrets(before)), ...made_secrets });
      return db.write(scope, async (on) => ({
        ...(await shown(await store.updateDeployment(on, scope.workspace_id, { ...before, secrets }))),
        made_secrets,
      }));
    },

    async remove(scope, agent_id, id) {
      await agents.get(scope, agent_id);
      await db.write(scope, async (on) => {
        if (!(await store.deleteDeployment(on, scope.workspace_id, agent_id, id))) throw notFound('deployment');
      });
    },

    async restore(scope, { config, ...fields }) {
      const token = fields.channel === 'web' ? newToken() : null;
      const given = Object.entries(config).filter(([, value]) => value !== undefined);
      await store.insertDeployment(db, scope.workspace_id, {
        ...{ ...fields, enabled: false, secrets: null, permissions: permissionsOf(scope) },
        config: { ...channelConfigs[fields.channel].defaults, ...Object.fromEntries(given) },
        token: token && (await keyring.seal(scope.workspace_id, pagePurpose(fields.id), token)),
        token_hash: token === null ? null : hashOf(token),
        owner_id: scope.owner_id ?? null,
      });
    },

    live,
    byToken: async (token) => opened(await store.findLiveByToken(db, hashOf(token))),
    async permissionsOf(id) {
      const deployment = await live(id);
      return deployment && new Set(deployment.permissions);
    },

    noteMessage: store.noteMessage,
    noteError: (deployment, message) => store.noteError(db, deployment.group_id, deployment.id, message),
  };
}

/**
 * What its conversations act with. Its owner lends rights but does not ask: there is no `person_id`, so that visitors see
 * only documents that everybody may see.
 */
export const principalOf = ({
  id,
  name,
  group_id,
  tenant_id,
  permissions,
}: Omit<LiveDeployment, 'secrets'>): Principal => ({
  ...{ tenant_id, workspace_id: group_id, home_workspace_id: group_id, tenant_admin: false },
  actor: { kind: 'channel', id, name },
  permissions: new Set(permissions),
});
