import { email as emailField, personName } from '@atrium/contract/people/fields.ts';
import { type ScimUser, type ScimUserInput, scimUserInput } from '@atrium/contract/scim/schema.ts';
import { userUrn } from '@atrium/contract/scim/urns.ts';
import { fieldsOf } from '../../../lib/json/fields-of.ts';
import { foldEmail } from '../fold-email.ts';
import type { Change } from './patch.ts';
import { invalidValue, mutability } from './scim-error.ts';
import type { ScimNames, ScimUserRow } from './user-store.ts';

/** A person as a directory wants it. */
export interface WantedUser {
  names: ScimNames;
  name: string;
  email: string;
  active: boolean;
}

const textOr = (text: string | undefined) => (text?.trim() ? text.trim() : null);

/** The address to sign in with: the primary one, or one of type work, or the first; else the name itself. */
function addressOf({ emails = [], userName }: ScimUserInput): string {
  const filled = emails.filter(({ value }) => value);
  const chosen = filled.find(({ primary }) => primary) ?? filled.find(({ type }) => type === 'work') ?? filled[0];
  const parsed = emailField.safeParse((chosen?.value ?? userName).trim());
  if (!parsed.success) throw invalidValue('A user needs a mail address, in emails or as userName');
  return foldEmail(parsed.data);
}

export function readUser(input: ScimUserInput): WantedUser {
  const names: ScimNames = {
    user_name: input.userName.trim(),
    external_id: textOr(input.externalId),
    display_name: textOr(input.displayName),
    formatted_name: textOr(input.name?.formatted),
    given_name: textOr(input.name?.givenName),
    family_name: textOr(input.name?.familyName),
  };
  if (!names.user_name) throw invalidValue('userName is needed');
  const parts = [names.given_name, names.family_name].filter(Boolean).join(' ');
  const name = (names.display_name ?? names.formatted_name ?? (parts || names.user_name)).slice(0, 200);
  if (!personName.safeParse(name).success) throw invalidValue('The name is not valid');
  return { names, name, email: addressOf(input), active: input.active ?? true };
}

/** A person as input, so that a PATCH can change it. */
const documentOf = (row: ScimUserRow): Record<string, unknown> => ({
  userName: row.user_name,
  externalId: row.external_id,
  displayName: row.display_name,
  name: { formatted: row.formatted_name, givenName: row.given_name, familyName: row.family_name },
  emails: [{ value: row.email, primary: true }],
  active: row.active,
});

const readOnly = new Set(['id', 'meta', 'groups', 'schemas']);
const nameParts = new Map([
  ['name.formatted', 'formatted'],
  ['name.givenname', 'givenName'],
  ['name.familyname', 'familyName'],
]);
const texts = new Map([
  ['username', 'userName'],
  ['active', 'active'],
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
]);
const required = new Set(['username', 'active']);

function emailsAfter({ op, attribute, value }: Change): unknown {
  if (op === 'remove') throw mutability('The mail address of a user can not be removed');
  if (attribute === 'emails') return Array.isArray(value) ? value : [value];
  return [{ value, primary: true }];
}

/** Changes one attribute. Attributes that a person does not have here are left out, as /Schemas says. */
function apply(document: Record<string, unknown>, change: Change): void {
  const { op, attribute } = change;
  const value = op === 'remove' ? null : change.value;
  if (readOnly.has(attribute)) {
    if (op === 'remove') throw mutability(`${attribute} can not be changed`);
    return;
  }
  if (required.has(attribute) && value === null) throw mutability(`${attribute} can not be removed`);
  const [text, part] = [texts.get(attribute), nameParts.get(attribute)];
  if (text) document[text] = value;
  else if (part) document['name'] = { ...fieldsOf(document['name']), [part]: value };
  else if (attribute === 'name') document['name'] = {};
  else if (attribute === 'emails' || attribute === 'emails.value') document['emails'] = emailsAfter(change);
}

/** The person after these changes, checked as a whole. */
export function changeUser(row: ScimUserRow, changes: readonly Change[]): WantedUser {
  const document = documentOf(row);
  for (const change of changes) apply(document, change);
  const parsed = scimUserInput.safeParse(document);
  if (!parsed.success)
    throw invalidValue(`Not valid: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  return readUser(parsed.data);
}

/** Whether a directory wants a person as it is stored. */
export const isUnchanged = (row: ScimUserRow, { names, name, email, active }: WantedUser): boolean => {
  const fields = Object.keys(names) as (keyof ScimNames)[];
  const isSame = row.name === name && foldEmail(row.email) === email && row.active === active;
  return isSame && fields.every((field) => row[field] === names[field]);
};

/** A person as SCIM shows it. */
export const showUser = (row: ScimUserRow, groups: readonly { id: string; name: string }[]): ScimUser => ({
  ...{ schemas: [userUrn], id: row.id, ...(row.external_id !== null && { externalId: row.external_id }) },
  ...{ userName: row.user_name, displayName: row.name },
  name: {
    formatted: row.formatted_name ?? row.name,
    ...(row.given_name !== null && { givenName: row.given_name }),
    ...(row.family_name !== null && { familyName: row.family_name }),
  },
  emails: [{ value: row.email, type: 'work', primary: true }],
  active: row.active,
  groups: groups.map(({ id, name }) => ({ value: id, display: name })),
  meta: {
    ...{ resourceType: 'User', created: row.created_at, lastModified: row.updated_at },
    location: `/scim/v2/Users/${row.id}`,
  },
});
