import { AppError } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import type { Keyring } from '../../keyring/service.ts';
import { hashRecoveryCode, isAppCode } from './recovery-codes.ts';
import * as store from './store.ts';
import { decodeSecret, findStep } from './totp.ts';

export const secondFactorPurpose = (person_id: string) => `second factor ${person_id}`;
export const codeRefused = () =>
  new AppError('forbidden', 'The code is wrong, was used before, or is too old', { code: 'code_refused' });

/** Uses up a code. Runs in a transaction, so that a code is used exactly when its purpose is fulfilled. */
export type TakeCode = (tx: Db) => Promise<boolean>;

/** Reads a code for a factor: what is left to do is to use it up, once. */
export async function readCode(secrets: Keyring, factor: store.FactorRow, given: string): Promise<TakeCode> {
  const { person_id, tenant_id, secret: box } = factor;
  const code = given.replaceAll(/[ -]/g, '');
  if (!isAppCode(code)) {
    const hash = hashRecoveryCode(given);
    return async (tx) => (await store.takeRecoveryCode(tx, person_id, hash)) === 1;
  }
  const secret = decodeSecret(await secrets.open(tenant_id, secondFactorPurpose(person_id), box));
  const step = findStep(secret, code, Date.now());
  return async (tx) => step !== undefined && (await store.takeStep(tx, person_id, box, step)) === 1;
}
