import type { Database } from '../../../db/database.ts';
import type { InheritedSettings, Scope } from '../../../lib/scope.ts';
import type { Keyring } from '../../keyring/keyring.ts';
import { openly, type Veil } from '../../models/veil.ts';
import type { Settings } from '../../settings/settings.ts';
import { rememberFound } from './found-before.ts';
import type { Find } from './hide-text.ts';
import { makeShelf, passingShelf } from './shelf.ts';
import { makeUnnumberedVeil } from './unnumbered-veil.ts';
import { makeVeil } from './veil.ts';

type PrivacySettings = Pick<Settings, 'pii_anonimization'>;

export type Privacy = ReturnType<typeof makePrivacy>;

/** The veil that the settings ask for. */
export function makePrivacy(options: { db: Database; keyring: Keyring; find: Find }) {
  const { find } = options;
  const remember = rememberFound();
  const entitiesOf = ({ pii_anonimization }: PrivacySettings) => [
    ...new Set(pii_anonimization.map(({ value }) => value)),
  ];

  /** The placeholders of the conversation that a run inherits its settings from. */
  const shelfOf = (workspace_id: string, inherits: InheritedSettings | null | undefined) =>
    inherits ? makeShelf(options, workspace_id, inherits.conversation_id) : undefined;

  function passingVeil(settings: PrivacySettings, scope?: Pick<Scope, 'workspace_id' | 'inherits'>): Veil {
    const entities = entitiesOf(settings);
    const elsewhere = scope && shelfOf(scope.workspace_id, scope.inherits);
    return entities.length === 0 ? openly : makeVeil({ find, remember, entities, elsewhere, shelf: passingShelf() });
  }

  return {
    /** For what is said in a conversation, now and later. */
    veilOf(
      workspace_id: string,
      conversation_id: string,
      settings: PrivacySettings,
      inherits: InheritedSettings | null = null,
    ): Veil {
      const entities = entitiesOf(settings);
      if (entities.length === 0) return openly;
      const elsewhere = shelfOf(workspace_id, inherits);
      return makeVeil({
        find,
        remember,
        entities,
        elsewhere,
        shelf: makeShelf(options, workspace_id, conversation_id),
      });
    },

    /** For a question that stands alone. */
    passingVeil,

    /** For texts that become vectors: the same value has the same placeholder everywhere and always. */
    unnumberedVeil(settings: PrivacySettings): Veil {
      const veil = passingVeil(settings);
      return veil === openly ? veil : makeUnnumberedVeil(veil);
    },

    /** Where values of the listed entities stand in a text. */
    find: async (text: string, settings: PrivacySettings) => {
      const entities = entitiesOf(settings);
      return entities.length === 0 ? [] : find(text, entities);
    },
  };
}
