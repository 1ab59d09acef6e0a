import { operation } from '../operation.ts';
import { conflicts, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { personParams } from '../people/schema.ts';
import { currentSession } from '../sessions/schema.ts';
import { secondFactorRoutes } from './routes.ts';
import {
  recoveryCodes,
  secondFactor,
  secondFactorCode,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnrol,
  secondFactorSecret,
  secondFactorVerify,
  signInPolicy,
  signInPolicyPatch,
} from './schema.ts';

const tag = 'Sign-in';
const slowed = 'After five wrong ones from one network further tries from there wait (429 with Retry-After).';
const passwordRefused = refused('password_refused', 'The password is wrong or missing.');
const codeRefused = refused('code_refused', 'The code is wrong, was used before, or is too old.');
const none = conflicts('second_factor_missing', 'The account has no second factor.');

export const getSecondFactor = operation({
  id: 'secondFactors.get',
  route: secondFactorRoutes['secondFactors.get'],
  summary: 'Get the own second factor',
  description: 'Says whether a code is asked for when the person signs in, and how many recovery codes are left.',
  tag,
  permission: 'session',
  before_second_factor: true,
  answer: secondFactor,
});

export const enrolSecondFactor = operation({
  id: 'secondFactors.enrol',
  route: secondFactorRoutes['secondFactors.enrol'],
  summary: 'Enrol a second factor',
  description:
    'Makes a secret for an authenticator app (TOTP: SHA-1, six digits, 30 s) in place of one that was not confirmed. It is asked for at sign-in once a code has confirmed it.',
  tag,
  permission: 'session',
  before_second_factor: true,
  body: secondFactorEnrol,
  example: { password: 'a long password' },
  idempotency: 'none',
  answer: secondFactorSecret,
  errors: [passwordRefused, conflicts('second_factor_exists', 'The account has one: disable it first.')],
});

export const confirmSecondFactor = operation({
  id: 'secondFactors.confirm',
  route: secondFactorRoutes['secondFactors.confirm'],
  summary: 'Confirm the second factor with a first code',
  description: `Enables the second factor, ends the other sessions of the person and returns ten recovery codes. ${slowed}`,
  tag,
  permission: 'session',
  before_second_factor: true,
  body: secondFactorConfirm,
  example: { code: '123456' },
  idempotency: 'none',
  answer: recoveryCodes,
  errors: [codeRefused, conflicts('second_factor_missing', 'No second factor waits to be confirmed.')],
});

export const renewRecoveryCodes = operation({
  id: 'secondFactors.renewRecoveryCodes',
  route: secondFactorRoutes['secondFactors.renewRecoveryCodes'],
  summary: 'Make new recovery codes',
  description: `Returns ten new recovery codes; the earlier ones stop working. ${slowed}`,
  tag,
  permission: 'session',
  body: secondFactorCode,
  example: { code: '123456' },
  idempotency: 'none',
  answer: recoveryCodes,
  errors: [codeRefused, none],
});

export const disableSecondFactor = operation({
  id: 'secondFactors.disable',
  route: secondFactorRoutes['secondFactors.disable'],
  summary: 'Disable the own second factor',
  description: `Removes the second factor and its recovery codes. ${slowed}`,
  tag,
  permission: 'session',
  body: secondFactorDisable,
  example: { password: 'a long password', code: '123456' },
  idempotency: 'none',
  answer: success,
  errors: [passwordRefused, codeRefused, none],
});

export const verifySecondFactor = operation({
  id: 'secondFactors.verify',
  route: secondFactorRoutes['secondFactors.verify'],
  summary: 'Sign in with the second factor',
  description: `Finishes a sign-in whose first step answered with a token, and sets the session cookie. The token works once, for five minutes and ten wrong codes; each code works once. ${slowed}`,
  tag,
  permission: 'open',
  body: secondFactorVerify,
  example: { token: 'ats2_given', code: '123456' },
  idempotency: 'none',
  answer: currentSession,
  errors: [
    { status: 401, code: 'sign_in_refused', description: 'The token is wrong, used or too old: begin again.' },
    codeRefused,
  ],
});

export const removeSecondFactor = operation({
  id: 'secondFactors.remove',
  route: secondFactorRoutes['secondFactors.remove'],
  summary: "Remove a person's second factor",
  description:
    'For a person who has lost the device and the recovery codes. Ends the sessions of the person, who then signs in with the password alone, or enrols again where it is required.',
  tag: 'People',
  permission: 'org:admin',
  params: personParams,
  answer: success,
});

export const getSignInPolicy = operation({
  id: 'signInPolicy.get',
  route: secondFactorRoutes['signInPolicy.get'],
  summary: 'Get how people have to sign in',
  description: 'Returns whether second factors are required in the organization.',
  tag: 'People',
  permission: 'org:admin',
  answer: signInPolicy,
});

export const updateSignInPolicy = operation({
  id: 'signInPolicy.update',
  route: secondFactorRoutes['signInPolicy.update'],
  summary: 'Change how people have to sign in',
  description:
    'Changes the given fields. They hold at once: people without a required second factor can do nothing with their sessions but enrol it. API keys are not affected.',
  tag: 'People',
  permission: 'org:admin',
  body: signInPolicyPatch,
  example: { second_factor_required: false },
  answer: signInPolicy,
});

export const secondFactorOperations = [
  ...[getSecondFactor, enrolSecondFactor, confirmSecondFactor, renewRecoveryCodes, disableSecondFactor],
  ...[verifySecondFactor, removeSecondFactor, getSignInPolicy, updateSignInPolicy],
];
