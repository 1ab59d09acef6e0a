import { z } from 'zod';
import type { Values } from '../lib/environment-fields.ts';

const contacts = (text: string) =>
  text
    .split(',')
    .map((contact) => contact.trim())
    .filter(Boolean);

/** RFC 9116: a contact is an address of a page by TLS, of mail, or a phone number. */
const isContact = (text: string) => /^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/.test(text) && URL.canParse(text);

/** Where finders of vulnerabilities report them. */
export const securityContactVariables = {
  ATRIUM_SECURITY_CONTACT: z
    .string()
    .refine((text) => contacts(text).length > 0 && contacts(text).every(isContact), {
      error: 'ATRIUM_SECURITY_CONTACT must be mailto:…, https://… or tel:…, several separated by commas',
    })
    .transform(contacts)
    .optional()
    .describe(
      'Where vulnerabilities of this server are reported (mailto:security@example.com), for /.well-known/security.txt; several are separated by commas. Needs ATRIUM_SECURITY_EXPIRES',
    ),
  ATRIUM_SECURITY_EXPIRES: z.iso
    .datetime({ offset: true, error: 'ATRIUM_SECURITY_EXPIRES must be a time such as 2027-12-31T00:00:00Z' })
    .optional()
    .describe(
      'Until when that contact holds (2027-12-31T00:00:00Z), less than a year ahead; from then on the file is not there',
    ),
};

export interface SecurityContact {
  contacts: readonly string[];
  expires: string;
}

/** Undefined unless both are set; one alone is a mistake. */
export function securityContactFrom(e: Values<typeof securityContactVariables>): SecurityContact | undefined {
  const { ATRIUM_SECURITY_CONTACT: contacts, ATRIUM_SECURITY_EXPIRES: expires } = e;
  if (contacts && expires) return { contacts, expires };
  if (contacts || expires)
    throw new Error('ATRIUM_SECURITY_CONTACT and ATRIUM_SECURITY_EXPIRES belong together: set both or neither');
  return undefined;
}
