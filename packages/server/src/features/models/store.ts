import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import type { DefaultKind } from '@atrium/contract/models/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The masked keys; null where there is none. */
export interface KeyHints {
  api_key: string | null;
  access_key_id: string | null;
  secret_access_key: string | null;
}

/** US dollars for a million tokens of one model, or of all that have no price of their own. */
export interface StoredPrice {
  model: string | null;
  input: number;
  output: number;
  cached_input: number | null;
}

export interface AccountRow {
  id: string;
  name: string;
  provider: ProviderKind;
  base_urls: string[];
  api_version: string | null;
  region: string | null;
  models: string[];
  prices: StoredPrice[];
  enabled: boolean;
  /** Why private addresses are allowed; null: only public and listed ones are reached. */
  private_allowed: 'stored_before' | 'org_admin' | null;
  secrets: string;
  hints: KeyHints;
  created_at: string;
  updated_at: string;
  etag: string;
}

type NewAccount = Omit<AccountRow, 'created_at' | 'updated_at' | 'etag'>;

const columns = sql`id, name, provider, base_urls, api_version, region, models, prices, enabled, private_allowed, secrets, hints,
  created_at, updated_at, etag::text as etag`;

export const listAccounts = (db: Db, tenant_id: string) =>
  db.rows<AccountRow>(sql`select ${columns} from provider_accounts where tenant_id = ${tenant_id} order by id`);

export const insertAccount = async (db: Db, tenant_id: string, row: NewAccount) =>
  await db.one<AccountRow>(sql`
    insert into provider_accounts (tenant_id, id, name, provider, base_urls, api_version, region, models, prices,
                                   enabled, private_allowed, secrets, hints)
    values (${tenant_id}, ${row.id}, ${row.name}, ${row.provider}, ${row.base_urls}, ${row.api_version},
            ${row.region}, ${row.models}, ${JSON.stringify(row.prices)}, ${row.enabled}, ${row.private_allowed},
            ${row.secrets}, ${row.hints})
    returning ${columns}`);

export const updateAccount = async (db: Db, tenant_id: string, row: NewAccount) =>
  db.row<AccountRow>(sql`
    update provider_accounts set name = ${row.name}, base_urls = ${row.base_urls}, api_version = ${row.api_version},
      region = ${row.region}, models = ${row.models}, prices = ${JSON.stringify(row.prices)}, enabled = ${row.enabled},
      private_allowed = ${row.private_allowed}, secrets = ${row.secrets}, hints = ${row.hints}, updated_at = now()
    where tenant_id = ${tenant_id} and id = ${row.id}
    returning ${columns}`);

export const deleteAccount = (db: Db, tenant_id: string, id: string) =>
  db.run(sql`delete from provider_accounts where tenant_id = ${tenant_id} and id = ${id}`);

export const listPresets = (db: Db, tenant_id: string) =>
  db.rows<{ name: string; models: string[] }>(sql`
    select name, models from model_presets where tenant_id = ${tenant_id} order by name`);

export const putPreset = (db: Db, tenant_id: string, name: string, models: readonly string[]) =>
  db.run(sql`
    insert into model_presets (tenant_id, name, models) values (${tenant_id}, ${name}, ${models})
    on conflict (tenant_id, name) do update set models = excluded.models, updated_at = now()`);

export const deletePreset = (db: Db, tenant_id: string, name: string) =>
  db.run(sql`delete from model_presets where tenant_id = ${tenant_id} and name = ${name}`);

export const listDefaults = (db: Db, tenant_id: string) =>
  db.rows<{ kind: DefaultKind; model: string }>(sql`
    select kind, model from model_defaults where tenant_id = ${tenant_id} order by kind`);

/** Replaces all defaults of a tenant. */
export const replaceDefaults = (tx: Db, tenant_id: string, defaults: readonly { kind: DefaultKind; model: string }[]) =>
  tx.run(sql`
    with gone as (
      delete from model_defaults where tenant_id = ${tenant_id} and kind <> all(${defaults.map(({ kind }) => kind)}::text[]))
    insert into model_defaults (tenant_id, kind, model)
    select ${tenant_id}, kind, model
    from unnest(${defaults.map(({ kind }) => kind)}::text[], ${defaults.map(({ model }) => model)}::text[]) as d(kind, model)
    on conflict (tenant_id, kind) do update set model = excluded.model, updated_at = now()`);
