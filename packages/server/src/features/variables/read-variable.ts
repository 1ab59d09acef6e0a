import type { Scope } from '../../lib/scope.ts';
import { VaultError, type Vaults } from '../vault/service.ts';
import { readValue } from './read-value.ts';
import type { Variables } from './service.ts';
import type { VariableRow } from './store.ts';
import { VariableUnavailable } from './variable-unavailable.ts';

/** Reads the value of a variable from its source when it is used, and checks that it still has its type. */
export function makeVariableReader(deps: {
  variables: Pick<Variables, 'inlineOf'>;
  vaults: Pick<Vaults, 'read'>;
  environment: Readonly<Record<string, string>>;
  isFile(scope: Scope, id: string): Promise<boolean>;
}) {
  const { variables, vaults, environment, isFile } = deps;
  const unavailable = ({ name }: VariableRow, why: string) =>
    new VariableUnavailable(`The variable ${name} can't be read: ${why}`);

  async function fromVault(scope: Scope, row: VariableRow): Promise<string> {
    const { vault_credential_id, vault_path, vault_key } = row;
    try {
      const data = await vaults.read(scope, vault_credential_id ?? '', vault_path ?? '');
      const value = Object.hasOwn(data, vault_key ?? '') ? data[vault_key ?? ''] : undefined;
      if (value === undefined || value === null)
        throw unavailable(row, 'there is no such key at this path of the vault');
      return typeof value === 'string' ? value : JSON.stringify(value);
    } catch (error) {
      throw error instanceof VaultError ? unavailable(row, error.message) : error;
    }
  }

  function fromEnvironment(row: VariableRow): string {
    const name = row.env_var_name ?? '';
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (value === undefined) throw unavailable(row, 'this server has no such environment variable');
    return value;
  }

  async function textOf(scope: Scope, row: VariableRow): Promise<string> {
    if (row.source === 'inline') {
      const value = await variables.inlineOf(row);
      if (value === null) throw unavailable(row, 'it was imported without its value, which has to be set');
      return value;
    }
    return row.source === 'vault' ? fromVault(scope, row) : fromEnvironment(row);
  }

  return async (scope: Scope, row: VariableRow): Promise<string> => {
    const read = readValue(row.type, await textOf(scope, row));
    if ('validationErrors' in read) throw unavailable(row, `its value is no ${row.type}`);
    if (row.type === 'file' && !(await isFile(scope, read.value))) throw unavailable(row, 'its file is gone');
    return read.value;
  };
}
