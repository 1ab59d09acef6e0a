import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Web } from '../drivers/web/driver.ts';
import { RunFailure } from '../execution/run-failure.ts';
import type { Agents } from '../features/agents/service.ts';
import type { Conversations } from '../features/conversations/service.ts';
import type { Files } from '../features/files/service.ts';
import type { Keyring } from '../features/keyring/service.ts';
import type { ReachDeps } from '../features/reach/ports.ts';
import type { ReferenceLookup } from '../features/settings/ports.ts';
import type { TypedAddresses } from '../features/typed-addresses/service.ts';
import { findUses } from '../features/uses/service.ts';
import { variableRoutes } from '../features/variables/handlers.ts';
import { makeNamedVariables } from '../features/variables/named-variables.ts';
import type { VariableResolver } from '../features/variables/ports.ts';
import { makeVariableReader } from '../features/variables/read-variable.ts';
import { makeVariableResolver } from '../features/variables/resolve-variables.ts';
import {
  makeVariables,
  type Variables,
  VariableUnavailable,
  type VariableUses,
} from '../features/variables/service.ts';
import { makeVariableRecords } from '../features/variables/variable-records.ts';
import { vaultRoutes } from '../features/vault/handlers.ts';
import { makeVaults } from '../features/vault/service.ts';
import type { Workflows } from '../features/workflows/service.ts';
import type { Scope } from '../lib/scope.ts';
import { agentUses, conversationUses, workflowUses } from './uses/compose-uses.ts';

/** Composes variables, the vaults that hold some of them, and their use in runs. */
export function composeVariables(deps: {
  db: Database;
  keyring: Keyring;
  web: Web;
  config: Pick<Config, 'variable_prefix' | 'variable_values'>;
  files: Files;
  agents: Agents;
  conversations: Conversations;
  typedAddresses: TypedAddresses;
  /** A function, because workflows are composed after the variables that they read. */
  workflows(): Pick<Workflows, 'byVariable'>;
}) {
  const { db, keyring, web, files, agents, conversations, typedAddresses, workflows } = deps;
  const { variable_prefix: prefix, variable_values: environment } = deps.config;
  const vaults = makeVaults({
    ...{ db, keyring, web, typedAddresses },
    usedBy: (scope, id) => variables.byVault(scope, id),
  });
  const finders = [
    agentUses(agents),
    conversationUses(conversations),
    workflowUses((scope, { name = '', pattern }, limit) => workflows().byVariable(scope, name, pattern, limit)),
  ];
  const usedBy: VariableUses = (scope, { id, name, pattern }) =>
    findUses(scope, { id, name, pattern, mentions: [id, `{{${name}`] }, finders);
  const isFile = async (scope: Scope, id: string) => (await files.exists(scope, [id])).has(id);
  const variables: Variables = makeVariables({
    ...{ db, keyring, usedBy, prefix, environment, isFile },
    isVault: vaults.exists,
  });
  const lookup: ReferenceLookup = {
    names: async (scope, ids) => new Map((await variables.byId(scope, ids)).map(({ id, name }) => [id, name])),
    byName: variables.byName,
  };
  const read = makeVariableReader({ variables, vaults, environment, isFile });
  const { byId, byName } = variables;
  const resolve = makeVariableResolver({
    ...{ byId, byName, read, sent: conversations.variables },
    restricted: conversations.restrictedSettings,
  });
  /** A run whose prompt lacks a value fails and names the variable, instead of going on without it. */
  const forRun: VariableResolver = (...run) =>
    resolve(...run).catch((error) => {
      throw error instanceof VariableUnavailable ? new RunFailure('variable_unavailable', error.message) : error;
    });
  /** Variables by name, of those with these ids where they are given; secrets without their values. */
  const reached: ReachDeps['variables'] = async (scope, names, ids) => {
    const found = ids ?? (await byName(scope, names)).map(({ id }) => id);
    const rows = (await byId(scope, found)).filter(({ name }) => names.includes(name));
    return Promise.all(
      rows.map(async (row) => ({
        ...{ id: row.id, name: row.name, version: row.etag },
        value: row.is_secret ? undefined : await read(scope, row).catch(() => undefined),
      })),
    );
  };
  return {
    reached,
    records: makeVariableRecords({ db, variables }),
    exists: variables.exists,
    usedBy: variables.usedBy,
    byFile: variables.byFile,
    lookup,
    resolve,
    forRun,
    byName,
    named: makeNamedVariables({ byName, byId, read }),
    routes: [...variableRoutes(variables), ...vaultRoutes(vaults)],
  };
}
