import { randomBytes } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import type { SecondFactorNeeded } from '@atrium/contract/sessions/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import type { Keyring } from '../../keyring/service.ts';
import { insertOidcSession } from '../identities/identity-store.ts';
import type { SignInLimits } from '../sessions/sign-in-limits.ts';
import { signedInAs, startSession } from '../sessions/start-session.ts';
import { lockWithPassword, type PersonWithPassword } from '../store.ts';
import { codeRefused, readCode } from './check-code.ts';
import * as store from './store.ts';

const stepSeconds = 300;
/** Codes that one first step may be tried with. */
const mostCodes = 10;

/** Begins the second step of a sign-in, where the person has a second factor; undefined where not. */
export async function beginSecondStep(
  tx: Db,
  { person_id, provider_id }: store.StepRow,
): Promise<SecondFactorNeeded | undefined> {
  const factor = await store.findFactor(tx, person_id);
  if (!factor?.confirmed_at) return undefined;
  const token = `ats2_${randomBytes(32).toString('base64url')}`;
  const { expires_at } = await store.insertSignInStep(tx, {
    ...{ token_hash: hashOf(token), person_id, provider_id, seconds: stepSeconds },
  });
  return { second_factor: { token, expires_at } };
}

const over = () =>
  new AppError('unauthorized', 'This sign-in is over or not valid: begin again', { code: 'sign_in_refused' });

/** Runs a transaction that a wrong code rolls back, so that nothing is recorded as done; undefined then. */
export async function transactWithCode<T>(
  db: Database,
  scope: Scope,
  work: (tx: Db, wrongCode: Error) => Promise<T>,
): Promise<T | undefined> {
  const wrongCode = codeRefused();
  try {
    return await db.transaction(scope, (tx) => work(tx, wrongCode));
  } catch (error) {
    if (error === wrongCode) return undefined;
    throw error;
  }
}

/** Finishes a sign-in with a code and starts the session. */
export async function finishSecondStep(
  deps: { db: Database; secrets: Keyring; limits: SignInLimits; session_seconds: number },
  scope: Scope,
  { token, code }: { token: string; code: string },
  user_agent: string | null,
): Promise<{ person: PersonWithPassword; started: { token: string; id: string; expires_at: string } }> {
  const { db, secrets, limits, session_seconds } = deps;
  const token_hash = hashOf(token);
  const step = await store.findSignInStep(db, token_hash, mostCodes);
  const factor = step && (await store.findFactor(db, step.person_id));
  if (!factor?.confirmed_at) throw over();
  const { person_id, tenant_id } = factor;
  const result = await limits.run(
    // Not counted with passwords: a right password would forgive wrong codes.
    `second factor ${person_id}`,
    scope.address ?? '',
    async () => {
      if ((await store.countCode(db, token_hash, mostCodes)) === 0) throw over();
      const takeCode = await readCode(secrets, factor, code);
      return transactWithCode(db, scope, async (tx, wrongCode) => {
        const person = await lockWithPassword(tx, person_id);
        if (!person?.active) throw over();
        scope.audit?.note(signedInAs(person));
        if (!(await takeCode(tx))) throw wrongCode;
        const taken = await store.takeSignInStep(tx, token_hash, mostCodes + 1);
        if (!taken) throw over();
        const { provider_id } = taken;
        const started = await startSession(tx, person, { scope, user_agent, seconds: session_seconds });
        if (provider_id !== null)
          await insertOidcSession(tx, { session_id: started.id, tenant_id, provider_id, id_token: null });
        return { person, started };
      });
    },
    (finished) => finished !== undefined,
  );
  if (!result) throw codeRefused();
  return result;
}
