import { AppError, conflict } from '@atrium/contract/errors.ts';
import { email as emailSchema } from '@atrium/contract/people/fields.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { foldEmail } from '../fold-email.ts';
import { findByEmail, insertPerson } from '../store.ts';
import { mapClaims } from './map-claims.ts';
import { listMappings, type ProviderRow } from './provider-store.ts';

const refused = (why: string) => new AppError('forbidden', why, { code: 'account_refused' });

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
/** A name as one line: a provider may send characters that no record can hold. */
const lineOf = (value: unknown) =>
  textOf(value)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();

/** The mail address of claims as accounts have it; undefined when there is none that an account could have. */
export function emailOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const parsed = emailSchema.safeParse(textOf(claims['email']));
  return parsed.success ? foldEmail(parsed.data) : undefined;
}

/**
 * Makes the account of a person at their first sign-in, where the provider is set so. An account with the same mail
 * address is never taken over: its owner signs in and links the identity. Whether there is one is told only to bearers
 * of a verified address.
 */
export async function createAccount(
  tx: Db,
  provider: ProviderRow,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (!provider.create_accounts)
    throw refused('No account is linked to this identity: sign in to your account and link it, or ask to be invited');
  const email = emailOf(claims);
  if (email === undefined) throw refused('The provider tells no mail address that an account can have');
  const verified = claims['email_verified'];
  const isVerified = verified === true || (verified === undefined && !provider.email_verified_required);
  if (!isVerified) throw refused('The provider does not say that the mail address is verified');
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const domains = provider.allowed_domains.map((one) => foldEmail(one));
  if (domains.length && !domains.includes(domain)) throw refused('Accounts are not created for this mail domain');
  if (await findByEmail(tx, email))
    throw conflict('This mail address has an account: sign in to it, then link this identity', 'sign_in_first');
  if (mapClaims(claims, await listMappings(tx, provider.id), { created_account: true }).size === 0)
    throw refused('None of your groups has a place in a workspace here');
  const id = newId();
  const name = lineOf(claims['name']) || lineOf(claims['preferred_username']) || lineOf(email);
  await insertPerson(tx, provider.tenant_id, { id, name, email, tenant_admin: false, password_hash: null });
  return id;
}
