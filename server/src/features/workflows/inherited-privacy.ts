import type { Scope } from '../../lib/scope.ts';
import type { Veil } from '../models/veil.ts';
import type { Privacy } from '../safety/privacy/privacy.ts';
import { type PiiEntity, piiEntriesOf } from '../settings/safety.ts';

type Listed = { value: PiiEntity; label: string }[];

/** Anonymizes the entities that a node lists and those of the conversation that runs the workflow. */
export function veilOfNode(privacy: Pick<Privacy, 'passingVeil'>, scope: Scope, entities: readonly PiiEntity[]): Veil {
  const inherited = (scope.inherits?.settings['pii_anonimization'] ?? []) as Listed;
  return privacy.passingVeil({ pii_anonimization: [...piiEntriesOf(entities), ...inherited] }, scope);
}
