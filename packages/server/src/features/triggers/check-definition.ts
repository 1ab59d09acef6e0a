import { randomBytes } from 'node:crypto';
import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import type { GivenDefinition, StoredDefinition } from '@atrium/contract/triggers/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { timetableOf, timetableTrouble } from '../../lib/timetable/timetable.ts';
import type { ReferenceCheckers } from '../settings/ports.ts';
import { findUnknownReferences, goneReference } from '../settings/service.ts';

export const maskedSecret = '********';

const at = ['body', 'definition'];
const validationError = (field: string, error: string, input: unknown, within = at): ValidationError => ({
  loc: [...within, field],
  msg: `Value error, ${error}`,
  type: 'value_error',
  input: input ?? null,
  ctx: { error },
});
const missing = (field: string, input: unknown): ValidationError => ({
  loc: [...at, field],
  msg: 'Field required',
  type: 'missing',
  input,
  ctx: {},
});

/** The fields of definitions that name a record, and its kind. */
export const subjectKinds = {
  table_id: 'table',
  knowledge_base_id: 'knowledge_base',
  agent_id: 'agent',
  workflow_id: 'workflow',
} as const;
export type SubjectField = keyof typeof subjectKinds;
const referenceFields = keysOf(subjectKinds);

/** The id fields that each family of events may have. */
const subjectFields: Record<string, readonly SubjectField[]> = {
  row: ['table_id'],
  document: ['knowledge_base_id'],
  conversation: ['agent_id'],
  run: ['agent_id', 'workflow_id'],
};

const subjectsOf = ({ event }: StoredDefinition): readonly SubjectField[] =>
  subjectFields[event?.split('.')[0] ?? ''] ?? [];

const idsIn = (definition: StoredDefinition) =>
  referenceFields.flatMap((field) => {
    const id = definition[field];
    return id === undefined ? [] : [{ field, id, kind: subjectKinds[field] }];
  });

/** The fields of a definition whose records are gone for every caller. */
async function goneSubjects(
  scope: Scope,
  definition: StoredDefinition,
  references: ReferenceCheckers,
): Promise<{ field: SubjectField; id: string; kind: ReferenceKind }[]> {
  const named = idsIn(definition);
  const unknown = await findUnknownReferences(
    { ...scope, permissions: new Set(['workspace_admin']) },
    named,
    references,
  );
  return named.filter((one) => unknown.includes(one));
}

/** Warns of a record that the trigger waits for and that is gone. */
export const warnOfGoneSubjects = async (scope: Scope, definition: StoredDefinition, references: ReferenceCheckers) =>
  (await goneSubjects(scope, definition, references)).map(({ field, kind }) =>
    goneReference(kind, [...at, field], 'the trigger does not fire'),
  );

/** Errors for ids that do not exist, but for those that the trigger has already; ids of another workspace get the same error. */
async function danglingIn(
  scope: Scope,
  definition: StoredDefinition,
  references: ReferenceCheckers,
  stored: StoredDefinition | undefined,
): Promise<ValidationError[]> {
  const validationErrors: ValidationError[] = [];
  const gone = stored ? await goneSubjects(scope, stored, references) : [];
  for (const { field, id, kind } of idsIn(definition)) {
    if (gone.some((one) => one.field === field && one.id === id)) continue;
    const found = await references[kind]?.(scope, [id], false);
    if (!found?.has(id)) validationErrors.push(validationError(field, `no such ${kind.replace('_', ' ')}`, id));
  }
  return validationErrors;
}

/** Errors of a cron expression and a time zone, which stand in the fields `cron` and `timezone` of a place. */
export function scheduleErrors(cron: string, timezone: string, within: string[]): ValidationError[] {
  const trouble = timetableTrouble(cron, timezone);
  const both = trouble?.at === 'timezone' ? [trouble, timetableTrouble(cron, 'UTC')] : [trouble];
  return both.flatMap((one) => (one ? [validationError(one.at, one.error, { cron, timezone }[one.at], within)] : []));
}

/**
 * Checks the required fields of a definition and fills in defaults. `hasSecret`: whether a secret is given or stored.
 */
function complete(
  given: StoredDefinition,
  hasSecret: boolean,
): { validationErrors: ValidationError[]; definition: StoredDefinition } {
  const definition = { ...given };
  const validationErrors: ValidationError[] = [];
  if (definition.type === 'schedule') {
    definition.timezone ??= 'UTC';
    definition.catch_up ??= 'once';
    if (definition.cron === undefined) validationErrors.push(missing('cron', given));
    else validationErrors.push(...scheduleErrors(definition.cron, definition.timezone, at));
  }
  if (definition.type === 'webhook') {
    definition.auth ??= hasSecret ? 'secret' : 'none';
    definition.tolerance_seconds ??= 300;
    if (definition.auth === 'none' && hasSecret)
      validationErrors.push(
        validationError('auth', 'a webhook with a secret asks for it: secret, hmac or hmac_body', 'none'),
      );
  }
  if (definition.type === 'event') {
    const given_ids = referenceFields.filter((field) => definition[field] !== undefined);
    if (definition.event === undefined) validationErrors.push(missing('event', given));
    else
      for (const field of given_ids.filter((own, index) => index > 0 || !subjectsOf(definition).includes(own)))
        validationErrors.push(
          validationError(field, `${definition.event} does not happen to such a thing`, definition[field]),
        );
  }
  return { validationErrors, definition };
}

export interface CheckedDefinition {
  definition: StoredDefinition;
  /** In plain text: given or generated; undefined when the stored one stays. */
  secret: string | undefined;
  made_secret: boolean;
  event: string | null;
  subject_id: string | null;
}

/** Checks a definition, fills in defaults and separates the secret from it. `stored`: what the trigger has already. */
export async function checkDefinition(
  scope: Scope,
  { secret: given, ...rest }: GivenDefinition,
  references: ReferenceCheckers,
  hadSecret: boolean,
  stored?: StoredDefinition,
): Promise<CheckedDefinition> {
  // The mask that answers show is not a new secret.
  let secret = given === maskedSecret ? undefined : given;
  const { validationErrors, definition } = complete(rest as StoredDefinition, secret !== undefined || hadSecret);
  validationErrors.push(...(await danglingIn(scope, definition, references, stored)));
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  const needs = definition.type === 'webhook' && definition.auth !== 'none' && secret === undefined && !hadSecret;
  if (needs) secret = `whsec_${randomBytes(32).toString('base64')}`;
  const subject = subjectsOf(definition).find((field) => definition[field] !== undefined);
  return {
    definition,
    secret,
    made_secret: needs,
    event: definition.event ?? null,
    subject_id: (subject && definition[subject]) ?? null,
  };
}

/** The timetable of a schedule; undefined for other triggers. */
export const timetableIn = ({ type, cron, timezone }: StoredDefinition) =>
  type === 'schedule' ? timetableOf(cron as string, timezone as string) : undefined;
