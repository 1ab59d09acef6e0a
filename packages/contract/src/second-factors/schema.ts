import * as z from 'zod';
import { etag } from '../fields.ts';
import * as s from '../schema/schema.ts';

export const secondFactor = z
  .strictObject({
    enabled: z.boolean().describe('Whether a code is asked for at sign-in.'),
    confirmed_at: z.iso.datetime().nullable().describe('Since when. Null: it is not enabled.'),
    recovery_codes_left: z.int().describe('How many recovery codes were not used yet.'),
    required: z.boolean().describe('Whether the organization requires it for sign-in with a password.'),
  })
  .meta({ id: 'SecondFactor' });

const password = s.str({ min: 1, max: 200, secret: true });
/** Six digits, or a recovery code as people type it. */
export const code = s.str({ min: 6, max: 40, pattern: /^[0-9A-Za-z -]+$/, secret: true });

export const secondFactorEnrol = s
  .object({
    password: s.optional(password).describe('The password of the account; needed where it has one.'),
  })
  .meta({ id: 'SecondFactorEnrol' });

export const secondFactorSecret = z
  .strictObject({
    secret: z.string().describe('The secret for an authenticator app (base32), shown once.'),
    otpauth_uri: z.string().describe('The same as an address, to be shown as a QR code.'),
  })
  .meta({ id: 'SecondFactorSecret' });

export const secondFactorConfirm = s
  .object({ code: code.describe('The six digits that the app shows now.') })
  .meta({ id: 'SecondFactorConfirm' });
export const secondFactorCode = s
  .object({ code: code.describe('The six digits that the app shows now, or a recovery code.') })
  .meta({ id: 'SecondFactorCode' });

export const recoveryCodes = z
  .strictObject({
    recovery_codes: z.array(z.string()).describe('Ten codes that work once each in place of the app, shown once.'),
  })
  .meta({ id: 'RecoveryCodes' });

export const secondFactorDisable = s
  .object({
    password: s.optional(password).describe('The password of the account; needed where it has one.'),
    code: code.describe('The six digits that the app shows now, or a recovery code.'),
  })
  .meta({ id: 'SecondFactorDisable' });

export const secondFactorVerify = s
  .object({
    token: s.str({ min: 1, max: 200, secret: true }).describe('The token that the first step answered with.'),
    code: code.describe('The six digits that the app shows now, or a recovery code.'),
  })
  .meta({ id: 'SecondFactorVerify' });

const texts = {
  required:
    'Whether people who sign in with a password need a second factor. Those without one can only enrol it until they have.',
  providers: 'Whether the second factor is also asked for, and required, after a sign-in at an identity provider.',
};
export const signInPolicy = z
  .strictObject({
    second_factor_required: z.boolean().describe(texts.required),
    second_factor_for_identity_providers: z.boolean().describe(texts.providers),
    etag,
  })
  .meta({ id: 'SignInPolicy' });
export const signInPolicyPatch = s
  .object({
    second_factor_required: s.optional(s.bool()).describe(texts.required),
    second_factor_for_identity_providers: s.optional(s.bool()).describe(texts.providers),
  })
  .meta({ id: 'SignInPolicyPatch' });

export type SecondFactor = z.output<typeof secondFactor>;
export type SecondFactorSecret = z.output<typeof secondFactorSecret>;
export type SignInPolicy = z.output<typeof signInPolicy>;
export type SignInPolicyPatch = z.output<typeof signInPolicyPatch>;
