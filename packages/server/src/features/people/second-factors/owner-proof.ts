import { AppError } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Keyring } from '../../keyring/service.ts';
import { foldEmail } from '../fold-email.ts';
import { isPassword } from '../sessions/passwords.ts';
import type { SignInLimits } from '../sessions/sign-in-limits.ts';
import { findWithPassword, type PersonWithPassword } from '../store.ts';
import { codeRefused, readCode } from './check-code.ts';
import { findFactor } from './store.ts';

/** Asks the person of a session to prove again who they are: a session alone must not change how its person signs in. */
export interface OwnerProof {
  /** Accounts without a password have none to ask for. */
  requirePassword(scope: Scope, password: string | undefined): Promise<PersonWithPassword>;
  /** Uses up a code, where the account has a second factor. */
  requireCode(scope: Scope, code: string | undefined): Promise<void>;
}

const passwordRefused = () => new AppError('forbidden', 'The password is wrong', { code: 'password_refused' });

export function makeOwnerProof(deps: { db: Database; secrets: Keyring; limits: SignInLimits }): OwnerProof {
  const { db, secrets, limits } = deps;
  const isTrue = (right: boolean) => right;

  return {
    async requirePassword(scope, password) {
      const person = required(await findWithPassword(db, scope.actor.id));
      const { password_hash, email } = person;
      if (password_hash === null) return person;
      if (password === undefined) throw passwordRefused();
      const compare = () => isPassword(password, password_hash);
      if (!(await limits.run(foldEmail(email), scope.address ?? '', compare, isTrue))) throw passwordRefused();
      return person;
    },

    async requireCode(scope, code) {
      const factor = await findFactor(db, scope.actor.id);
      if (!factor?.confirmed_at) return;
      if (code === undefined) throw codeRefused();
      const takeCode = await readCode(secrets, factor, code);
      const take = () => db.transaction(undefined, takeCode);
      const isRight = await limits.run(`second factor ${factor.person_id}`, scope.address ?? '', take, isTrue);
      if (!isRight) throw codeRefused();
    },
  };
}
