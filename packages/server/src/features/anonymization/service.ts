import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import type { InheritedSettings, Scope } from '../../lib/scope.ts';
import { hasMarks } from '../../lib/text/covered-text.ts';
import type { Keyring } from '../keyring/service.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { noAnonymizer } from '../model-calls/service.ts';
import { type AllowedWords, makeAllowedWords } from '../pii/service.ts';
import { makeAnonymizer } from './anonymizer.ts';
import { type DetectionCache, makeDetectionCache } from './detection-cache.ts';
import { makePlaceholderStore, makeTemporaryPlaceholderStore } from './placeholder-store.ts';
import type { Find, Found } from './replace-private-spans.ts';
import { makeUnnumberedAnonymizer } from './unnumbered-anonymizer.ts';

export { placeholderNote } from './anonymizer.ts';

/** The settings that anonymizing depends on. Those of a knowledge base have only the first. */
type PrivacySettings = Pick<Settings, 'pii_anonimization'> &
  Partial<Pick<Settings, 'pii_allow' | 'glossary' | 'actions' | 'mcp_servers' | 'tools'>>;

/** The words of a workspace that are no personal data: the operator's list, and names of the workspace's own things. */
export interface WorkspaceWords {
  allow(workspace_id: string): Promise<readonly string[]>;
  names(workspace_id: string): Promise<readonly string[]>;
}

export interface Anonymization {
  /** The anonymizer of a conversation, whose placeholders are stored. */
  conversationAnonymizer(
    workspace_id: string,
    conversation_id: string,
    settings: PrivacySettings,
    inherits?: InheritedSettings | null,
    /** `isNew` when the conversation has no messages yet. */
    options?: { isNew?: boolean },
  ): Anonymizer;
  /** An anonymizer for a single request. Without a scope, the words of no workspace are allowed. */
  temporaryAnonymizer(settings: PrivacySettings, scope?: Pick<Scope, 'workspace_id' | 'inherits'>): Anonymizer;
  /** An anonymizer for embeddings: a value has the same placeholder in every text. */
  unnumberedAnonymizer(settings: PrivacySettings): Anonymizer;
  /** Finds values of the listed entities in a text. */
  find(text: string, settings: PrivacySettings): Promise<readonly Found[]>;
}

/** Glossary terms and names of tools. A value that came with the conversation allows nothing: its caller is not the operator. */
const termsOf = ({ glossary = [], actions = [], mcp_servers = [], tools = [] }: PrivacySettings): string[] =>
  [
    ...glossary.flatMap(({ term, enabled }) => (enabled === false ? [] : term)),
    ...[...actions, ...mcp_servers, ...tools].flatMap((entry) => (typeof entry.name === 'string' ? entry.name : [])),
  ].filter((term) => !hasMarks(term));

/** Makes the anonymizer that the settings ask for. */
export function makeAnonymization(options: {
  db: Database;
  keyring: Keyring;
  find: Find;
  words: WorkspaceWords;
}): Anonymization {
  const { find, words } = options;
  const remember = makeDetectionCache();
  /** A workspace can't tell by the time that a text takes whether another one has used it. */
  const rememberFor =
    (workspace_id: string): DetectionCache =>
    (key, work) =>
      remember([workspace_id, ...key], work);
  const entitiesOf = ({ pii_anonimization }: PrivacySettings) => [
    ...new Set(pii_anonimization.map(({ value }) => value)),
  ];

  /**
   * Loads the allowed words. A run that inherits its privacy may not widen it: the terms and tools of its own agent count
   * only where no parent is, and `pii_allow` is what both lists have in common.
   */
  async function loadAllowed(
    { pii_allow = [], ...settings }: PrivacySettings,
    workspace_id: string | undefined,
    inherits: InheritedSettings | null | undefined,
  ): Promise<AllowedWords> {
    const [allow, names] = workspace_id
      ? await Promise.all([words.allow(workspace_id), words.names(workspace_id)])
      : [[], []];
    return makeAllowedWords([...allow, ...pii_allow], [...names, ...(inherits ? [] : termsOf(settings))]);
  }

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
      : makeAnonymizer({
          ...{ find, entities, elsewhere },
          remember: rememberFor(scope?.workspace_id ?? ''),
          shelf: makeTemporaryPlaceholderStore(),
          loadAllowed: () => loadAllowed(settings, scope?.workspace_id, scope?.inherits),
        });
  }

  return {
    conversationAnonymizer(
      workspace_id: string,
      conversation_id: string,
      settings: PrivacySettings,
      inherits: InheritedSettings | null = null,
      { isNew = false } = {},
    ): Anonymizer {
      const entities = entitiesOf(settings);
      if (entities.length === 0) return noAnonymizer;
      const elsewhere = shelfOf(workspace_id, inherits);
      return makeAnonymizer({
        ...{ find, entities, elsewhere },
        remember: rememberFor(workspace_id),
        startsEmpty: isNew,
        shelf: makePlaceholderStore(options, workspace_id, conversation_id),
        loadAllowed: () => loadAllowed(settings, workspace_id, inherits),
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
