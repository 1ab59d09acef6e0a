import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import type { InheritedSettings, Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { noAnonymizer } from '../model-calls/service.ts';
import { makeAnonymizer } from './anonymizer.ts';
import { makeDetectionCache } from './detection-cache.ts';
import { makePlaceholderStore, makeTemporaryPlaceholderStore } from './placeholder-store.ts';
import type { Find, Found } from './replace-private-spans.ts';
import { makeUnnumberedAnonymizer } from './unnumbered-anonymizer.ts';

type PrivacySettings = Pick<Settings, 'pii_anonimization'>;

export interface Anonymization {
  /** The anonymizer of a conversation, whose placeholders are stored. */
  conversationAnonymizer(
    workspace_id: string,
    conversation_id: string,
    settings: PrivacySettings,
    inherits?: InheritedSettings | null,
  ): Anonymizer;
  /** An anonymizer for a single request. */
  temporaryAnonymizer(settings: PrivacySettings, scope?: Pick<Scope, 'workspace_id' | 'inherits'>): Anonymizer;
  /** An anonymizer for embeddings: a value has the same placeholder in every text. */
  unnumberedAnonymizer(settings: PrivacySettings): Anonymizer;
  /** Finds values of the listed entities in a text. */
  find(text: string, settings: PrivacySettings): Promise<readonly Found[]>;
}

/** Makes the anonymizer that the settings ask for. */
export function makeAnonymization(options: { db: Database; keyring: Keyring; find: Find }): Anonymization {
  const { find } = options;
  const remember = makeDetectionCache();
  const entitiesOf = ({ pii_anonimization }: PrivacySettings) => [
    ...new Set(pii_anonimization.map(({ value }) => value)),
  ];

  /** The placeholders of the conversation that a run inherits its settings from. */
  const shelfOf = (workspace_id: string, inherits: InheritedSettings | null | undefined) =>
    inherits ? makePlaceholderStore(options, workspace_id, inherits.conversation_id) : undefined;

  function temporaryAnonymizer(
    settings: PrivacySettings,
    scope?: Pick<Scope, 'workspace_id' | 'inherits'>,
  ): Anonymizer {
    const entities = entitiesOf(settings);
    const elsewhere = scope && shelfOf(scope.workspace_id, scope.inherits);
    return entities.length === 0
      ? noAnonymizer
      : makeAnonymizer({ find, remember, entities, elsewhere, shelf: makeTemporaryPlaceholderStore() });
  }

  return {
    conversationAnonymizer(
      workspace_id: string,
      conversation_id: string,
      settings: PrivacySettings,
      inherits: InheritedSettings | null = null,
    ): Anonymizer {
      const entities = entitiesOf(settings);
      if (entities.length === 0) return noAnonymizer;
      const elsewhere = shelfOf(workspace_id, inherits);
      return makeAnonymizer({
        find,
        remember,
        entities,
        elsewhere,
        shelf: makePlaceholderStore(options, workspace_id, conversation_id),
      });
    },

    temporaryAnonymizer,

    unnumberedAnonymizer(settings: PrivacySettings): Anonymizer {
      const anonymizer = temporaryAnonymizer(settings);
      return anonymizer === noAnonymizer ? anonymizer : makeUnnumberedAnonymizer(anonymizer);
    },

    find: async (text: string, settings: PrivacySettings) => {
      const entities = entitiesOf(settings);
      return entities.length === 0 ? [] : find(text, entities);
    },
  };
}
