import { email } from '@atrium/contract/people/fields.ts';
import { z } from 'zod';
import type { MailServer } from '../drivers/mail/driver.ts';
import type { Values } from '../lib/environment-fields.ts';

/** `smtp://` encrypts with STARTTLS unless the address says `?tls=none`; `smtps://` from the first byte. */
function readServer(text: string): MailServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, search, pathname } = new URL(text);
  const isPlain = search === '?tls=none';
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || !hostname || pathname.length > 1) return undefined;
  if (search !== '' && !(isPlain && protocol === 'smtp:')) return undefined;
  const tls = protocol === 'smtps:' ? 'tls' : isPlain ? 'none' : 'starttls';
  return {
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (tls === 'tls' ? 465 : 587), tls },
    username: username ? decodeURIComponent(username) : null,
    password: username ? decodeURIComponent(password) : null,
  };
}

/** `Atrium <no-reply@example.com>`, or the address alone. */
function readSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', bracketed] = /^\s*([^<>"\r\n]*?)\s*<([^<>\s]+)>\s*$/.exec(text) ?? [];
  const address = bracketed ?? text.trim();
  return email.safeParse(address).success ? { name: name || 'Atrium', address } : undefined;
}

/** A text that a function reads; undefined from it is an error. The value itself may hold a password and is not shown. */
const readBy = <T>(read: (text: string) => T | undefined, error: string) =>
  z
    .string()
    .transform((text, context) => {
      const value = read(text);
      if (value === undefined) context.addIssue({ code: 'custom', message: error });
      return value ?? z.NEVER;
    })
    .optional();

/** How mail is sent to people: invitations and links to set a password. */
export const mailVariables = {
  ATRIUM_SMTP_URL: readBy(
    readServer,
    'ATRIUM_SMTP_URL must be smtp://user:password@host:587 or smtps://user:password@host:465',
  ).describe(
    'Mail server for invitations and forgotten passwords: smtp://user:password@host:587 (STARTTLS; with ?tls=none in plain) or smtps://…:465. Mail is sent when ATRIUM_PUBLIC_URL and ATRIUM_MAIL_FROM are set too',
  ),
  ATRIUM_MAIL_FROM: readBy(
    readSender,
    'ATRIUM_MAIL_FROM must be an address, or a name with the address in <>',
  ).describe('Sender of these mails: no-reply@example.com, or Atrium <no-reply@example.com>'),
};

export interface MailConfig {
  server: MailServer;
  from: { name: string; address: string };
  /** Where the links in mails lead; without a slash at its end. */
  public_url: string;
}

/** The settings of mail; undefined unless all that it needs is there. */
export function mailFrom(
  e: Values<typeof mailVariables> & { ATRIUM_PUBLIC_URL?: string | undefined },
): MailConfig | undefined {
  const { ATRIUM_SMTP_URL: server, ATRIUM_MAIL_FROM: from, ATRIUM_PUBLIC_URL: public_url } = e;
  return server && from && public_url ? { server, from, public_url } : undefined;
}
