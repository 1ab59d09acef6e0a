import type { AnswerOf } from '@atrium/sdk';
import { auditTexts as words } from '../../text/admin/audit.ts';

export type AuditEntry = AnswerOf<'audit.list'>['items'][number];

/** A version that was published as it was made is said as what it is for people. */
export const sayOperation = ({ operation, after }: AuditEntry): string => {
  const isPublished = operation === 'agentVersions.create' && after?.['published_version_id'] !== undefined;
  const known = words.operations as Readonly<Record<string, string>>;
  return known[isPublished ? 'agentVersions.publish' : operation] ?? words.otherOperation(operation);
};

/** Who acted. */
export const sayActor = (entry: AuditEntry): string =>
  entry.person?.name ?? (entry.actor.kind === 'nobody' ? words.nobody : (entry.actor.name ?? words.unknown));
