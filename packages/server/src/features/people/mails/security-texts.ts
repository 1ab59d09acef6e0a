import { type MailText, plainName } from './mail-texts.ts';

/** Changes of how a person signs in, each of which the person is told by mail. */
export type SecurityChange =
  | 'password_changed'
  | 'password_set_by_link'
  | 'address_changed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'second_factor_removed'
  | 'recovery_codes_replaced';

const texts: Readonly<Record<SecurityChange, { subject: string; what: string }>> = {
  password_changed: {
    subject: 'Your Atrium password was changed',
    what: 'Your password was changed, in a session of yours. All other sessions have ended.',
  },
  password_set_by_link: {
    subject: 'Your Atrium password was changed',
    what: 'A new password was set for your account, with a link that was mailed to you or made by an administrator. All sessions have ended.',
  },
  address_changed: {
    subject: 'The mail address of your Atrium account was changed',
    what: 'The directory of your organization changed the mail address that you sign in with. All sessions have ended.',
  },
  second_factor_enabled: {
    subject: 'A second factor protects your Atrium account now',
    what: 'A second factor was turned on for your account. All other sessions have ended.',
  },
  second_factor_disabled: {
    subject: 'The second factor of your Atrium account was removed',
    what: 'The second factor of your account was turned off, in a session of yours.',
  },
  second_factor_removed: {
    subject: 'The second factor of your Atrium account was removed',
    what: 'An administrator of your organization removed the second factor of your account. All sessions have ended.',
  },
  recovery_codes_replaced: {
    subject: 'Your Atrium recovery codes were replaced',
    what: 'New recovery codes were made for your account, in a session of yours. The ones before do not work any more.',
  },
};

export interface SecurityMail {
  to: string;
  name: string;
  change: SecurityChange;
  public_url: string;
}

/** Tells a person what was changed. It has no link to follow and no secret, so that it can go to an old address too. */
export const securityMail = ({ to, name, change, public_url }: SecurityMail): MailText => ({
  to,
  subject: texts[change].subject,
  text: `Hello ${plainName(name)},

this is about your account at ${public_url}.

${texts[change].what}

If you did not expect this, ask an administrator of your organization at once.
`,
});
