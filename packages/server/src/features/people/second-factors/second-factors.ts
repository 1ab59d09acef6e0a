import { conflict, notFound } from '@atrium/contract/errors.ts';
import type {
  SecondFactor,
  SecondFactorSecret,
  SignInPolicy,
  SignInPolicyPatch,
} from '@atrium/contract/second-factors/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Keyring } from '../../keyring/service.ts';
import type { SecurityNotices } from '../mails/security-notices.ts';
import type { SecurityChange } from '../mails/security-texts.ts';
import type { SignInLimits } from '../sessions/sign-in-limits.ts';
import { deleteSessions } from '../sessions/store.ts';
import { findPerson, lockWithPassword } from '../store.ts';
import { codeRefused, readCode, secondFactorPurpose, type TakeCode } from './check-code.ts';
import type { OwnerProof } from './owner-proof.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { transactWithCode } from './sign-in-steps.ts';
import * as store from './store.ts';
import { decodeSecret, encodeSecret, findStep, newTotpSecret, otpauthUri } from './totp.ts';

/** Second factors of people, and whether the organization requires them. */
export interface SecondFactors {
  get(scope: Scope): Promise<SecondFactor>;
  enrol(scope: Scope, password: string | undefined): Promise<SecondFactorSecret>;
  /** Enables the factor; answers the recovery codes. */
  confirm(scope: Scope, code: string): Promise<string[]>;
  renewRecoveryCodes(scope: Scope, code: string): Promise<string[]>;
  disable(scope: Scope, input: { password?: string | undefined; code: string }): Promise<void>;
  /** Removes the factor of another person. */
  remove(scope: Scope, person_id: string): Promise<void>;
  policy(scope: Scope): Promise<SignInPolicy>;
  updatePolicy(scope: Scope, patch: SignInPolicyPatch): Promise<SignInPolicy>;
}

const missing = () => conflict('The account has no second factor', 'second_factor_missing');

export function makeSecondFactors(deps: {
  db: Database;
  notifier: Notifier;
  secrets: Keyring;
  limits: SignInLimits;
  proof: OwnerProof;
  notices: SecurityNotices;
}): SecondFactors {
  const { db, notifier, secrets, limits, proof, notices } = deps;

  /** Runs a change that a right code allows, and tells the person of it; wrong codes are slowed as at sign-in. */
  async function withCode<T>(
    scope: Scope,
    takeCode: TakeCode,
    change: SecurityChange,
    work: (tx: Db) => Promise<T>,
  ): Promise<T> {
    const person_id = scope.actor.id;
    const putNotice = await notices.prepare(scope.tenant_id);
    const result = await limits.run(
      ...([`second factor ${person_id}`, scope.address ?? ''] as const),
      () =>
        transactWithCode(db, scope, async (tx, wrongCode) => {
          const person = required(await lockWithPassword(tx, person_id));
          if (!(await takeCode(tx))) throw wrongCode;
          const value = await work(tx);
          await putNotice(tx, person, change);
          await notifier.notify(tx, 'keys', person_id);
          return { value };
        }),
      (done) => done !== undefined,
    );
    if (!result) throw codeRefused();
    notifier.notifyLocal('keys', person_id);
    return result.value;
  }

  async function confirmedFactor(scope: Scope): Promise<store.FactorRow> {
    const factor = await store.findFactor(db, scope.actor.id);
    if (!factor?.confirmed_at) throw missing();
    return factor;
  }

  async function replaceCodes(tx: Db, person_id: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await store.replaceRecoveryCodes(tx, person_id, codes.map(hashRecoveryCode));
    return codes;
  }

  return {
    async get(scope) {
      const factor = await store.findFactor(db, scope.actor.id);
      const { second_factor_required } = await store.findPolicy(db, scope.tenant_id);
      const confirmed_at = factor?.confirmed_at ?? null;
      const recovery_codes_left = await store.countRecoveryCodes(db, scope.actor.id);
      return { enabled: confirmed_at !== null, confirmed_at, recovery_codes_left, required: second_factor_required };
    },

    async enrol(scope, password) {
      const { id: person_id, tenant_id, email } = await proof.requirePassword(scope, password);
      const secret = newTotpSecret();
      const box = await secrets.seal(tenant_id, secondFactorPurpose(person_id), encodeSecret(secret));
      const stored = await store.putSecret(db, { person_id, tenant_id, secret: box });
      if (stored === 0) throw conflict('The account has a second factor: disable it first', 'second_factor_exists');
      return { secret: encodeSecret(secret), otpauth_uri: otpauthUri(secret, email) };
    },

    async confirm(scope, code) {
      const factor = await store.findFactor(db, scope.actor.id);
      if (!factor || factor.confirmed_at) throw missing();
      const { person_id, tenant_id, secret: box } = factor;
      const secret = decodeSecret(await secrets.open(tenant_id, secondFactorPurpose(person_id), box));
      const step = findStep(secret, code.replaceAll(' ', ''), Date.now());
      const takeCode: TakeCode = async (tx) =>
        step !== undefined && (await store.confirmFactor(tx, person_id, box, step)) === 1;
      return withCode(scope, takeCode, 'second_factor_enabled', async (tx) => {
        await deleteSessions(tx, person_id, required(scope.session_id), 'second_factor_changed');
        return replaceCodes(tx, person_id);
      });
    },

    async renewRecoveryCodes(scope, code) {
      const factor = await confirmedFactor(scope);
      const takeCode = await readCode(secrets, factor, code);
      return withCode(scope, takeCode, 'recovery_codes_replaced', (tx) => replaceCodes(tx, factor.person_id));
    },

    async disable(scope, { password, code }) {
      const factor = await confirmedFactor(scope);
      await proof.requirePassword(scope, password);
      const takeCode = await readCode(secrets, factor, code);
      await withCode(scope, takeCode, 'second_factor_disabled', (tx) => store.deleteFactor(tx, factor.person_id));
    },

    async remove(scope, person_id) {
      const putNotice = await notices.prepare(scope.tenant_id);
      await db.transaction(scope, async (tx) => {
        const person = await findPerson(tx, scope.tenant_id, person_id);
        if (!person) throw notFound('person');
        const factor = await store.findFactor(tx, person_id);
        if ((await store.deleteFactor(tx, person_id)) === 0) return;
        await store.deleteSignInSteps(tx, person_id);
        await deleteSessions(tx, person_id, null, 'second_factor_changed');
        // One that was never confirmed protected nothing.
        if (factor?.confirmed_at) await putNotice(tx, person, 'second_factor_removed');
        await notifier.notify(tx, 'keys', person_id);
      });
      notifier.notifyLocal('keys', person_id);
    },

    policy: (scope) => store.findPolicy(db, scope.tenant_id),

    async updatePolicy(scope, patch) {
      const updated = await db.transaction(scope, async (tx) => {
        const { second_factor_required: wanted = null, second_factor_for_identity_providers: providers = null } = patch;
        const before = await store.findPolicy(tx, scope.tenant_id);
        const policy = await store.updatePolicy(tx, scope.tenant_id, { required: wanted, providers });
        scope.audit?.note({ target: { kind: 'sign_in_policy', id: scope.tenant_id }, before, after: policy });
        await notifier.notify(tx, 'keys');
        return policy;
      });
      notifier.notifyLocal('keys');
      return updated;
    },
  };
}
