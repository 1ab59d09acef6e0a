import { type PiiEntity, piiEntriesOf } from '@atrium/contract/settings/keys/safety.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Anonymization } from '../../anonymization/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';

type Listed = { value: PiiEntity; label: string }[];

/** Anonymizes the entities that a node lists and those of the conversation that runs the workflow. */
export function anonymizerForNode(
  privacy: Pick<Anonymization, 'temporaryAnonymizer'>,
  scope: Scope,
  entities: readonly PiiEntity[],
): Anonymizer {
  const inherited = (scope.inherits?.settings['pii_anonimization'] ?? []) as Listed;
  // A workflow has no list of its own; that of the conversation counts, if there is one.
  const pii_allow = (scope.inherits?.settings['pii_allow'] ?? []) as string[];
  return privacy.temporaryAnonymizer(
    { pii_anonimization: [...piiEntriesOf(entities), ...inherited], pii_allow },
    scope,
  );
}
