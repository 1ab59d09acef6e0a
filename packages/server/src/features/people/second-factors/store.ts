import type { SignInPolicy } from '@atrium/contract/second-factors/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface FactorRow {
  person_id: string;
  tenant_id: string;
  secret: string;
  confirmed_at: string | null;
}

export const findFactor = (db: Db, person_id: string) =>
  db.row<FactorRow>(sql`
    select person_id, tenant_id, secret, confirmed_at from second_factors where person_id = ${person_id}`);

/** Stores a secret in place of one that was not confirmed; 0 where one was. */
export const putSecret = (tx: Db, row: Pick<FactorRow, 'person_id' | 'tenant_id' | 'secret'>) =>
  tx.run(sql`
    insert into second_factors (person_id, tenant_id, secret)
    values (${row.person_id}, ${row.tenant_id}, ${row.secret})
    on conflict (person_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
      where second_factors.confirmed_at is null`);

/** Enables the factor if it still has this secret; the first code counts as used. */
export const confirmFactor = (tx: Db, person_id: string, secret: string, step: number) =>
  tx.run(sql`
    update second_factors set confirmed_at = now(), last_step = ${step}
    where person_id = ${person_id} and secret = ${secret} and confirmed_at is null`);

/** Uses up the code of a step. 0: it was used, or one after it. */
export const takeStep = (tx: Db, person_id: string, secret: string, step: number) =>
  tx.run(sql`
    update second_factors set last_step = ${step}
    where person_id = ${person_id} and secret = ${secret} and confirmed_at is not null and last_step < ${step}`);

export const deleteFactor = (tx: Db, person_id: string) =>
  tx.run(sql`delete from second_factors where person_id = ${person_id}`);

export async function replaceRecoveryCodes(tx: Db, person_id: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.run(sql`delete from recovery_codes where person_id = ${person_id}`);
  await tx.run(sql`
    insert into recovery_codes (person_id, code_hash) select ${person_id}::uuid, unnest(${[...hashes]}::bytea[])`);
}

/** Uses up a recovery code. 0: there is none of this hash. */
export const takeRecoveryCode = (tx: Db, person_id: string, code_hash: Buffer) =>
  tx.run(sql`delete from recovery_codes where person_id = ${person_id} and code_hash = ${code_hash}`);

export const countRecoveryCodes = async (db: Db, person_id: string) =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from recovery_codes where person_id = ${person_id}`)
  ).count;

/** A sign-in that waits for the second factor. */
export interface StepRow {
  person_id: string;
  provider_id: string | null;
}

export const insertSignInStep = (tx: Db, row: StepRow & { token_hash: Buffer; seconds: number }) =>
  tx.one<{ expires_at: string }>(sql`
    insert into sign_in_steps (token_hash, person_id, provider_id, expires_at)
    values (${row.token_hash}, ${row.person_id}, ${row.provider_id}, now() + make_interval(secs => ${row.seconds}))
    returning expires_at`);

const isOpen = (token_hash: Buffer, mostWrong: number) =>
  sql`token_hash = ${token_hash} and expires_at > now() and wrong_codes < ${mostWrong}`;

export const findSignInStep = (db: Db, token_hash: Buffer, mostWrong: number) =>
  db.row<StepRow>(sql`select person_id, provider_id from sign_in_steps where ${isOpen(token_hash, mostWrong)}`);

/** Takes the sign-in away and returns it, so that no second code finishes it. */
export const takeSignInStep = (tx: Db, token_hash: Buffer, mostWrong: number) =>
  tx.row<StepRow>(sql`
    delete from sign_in_steps where ${isOpen(token_hash, mostWrong)} returning person_id, provider_id`);

/** Counts a code before it is looked at, so that codes at the same moment all count. 0: there were too many. */
export const countCode = (db: Db, token_hash: Buffer, mostWrong: number) =>
  db.run(sql`update sign_in_steps set wrong_codes = wrong_codes + 1 where ${isOpen(token_hash, mostWrong)}`);

export const deleteSignInSteps = (tx: Db, person_id: string) =>
  tx.run(sql`delete from sign_in_steps where person_id = ${person_id}`);
export const deleteExpiredSteps = (db: Db) => db.run(sql`delete from sign_in_steps where expires_at <= now()`);

export const findPolicy = async (db: Db, tenant_id: string): Promise<SignInPolicy> =>
  (await db.row<SignInPolicy>(sql`
    select second_factor_required, second_factor_for_identity_providers, etag::text as etag from sign_in_policies
    where tenant_id = ${tenant_id}`)) ?? {
    second_factor_required: false,
    second_factor_for_identity_providers: false,
    etag: '0',
  };

export const updatePolicy = (
  tx: Db,
  tenant_id: string,
  { required, providers }: { required: boolean | null; providers: boolean | null },
) =>
  tx.one<SignInPolicy>(sql`
    insert into sign_in_policies as y (tenant_id, second_factor_required, second_factor_for_identity_providers)
    values (${tenant_id}, coalesce(${required}::boolean, false), coalesce(${providers}::boolean, false))
    on conflict (tenant_id) do update set
      second_factor_required = coalesce(${required}::boolean, y.second_factor_required),
      second_factor_for_identity_providers = coalesce(${providers}::boolean, y.second_factor_for_identity_providers)
    returning second_factor_required, second_factor_for_identity_providers, etag::text as etag`);
