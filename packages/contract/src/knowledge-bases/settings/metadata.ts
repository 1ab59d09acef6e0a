import { keysOf } from '../../keys-of.ts';
import type { SettingMetadata } from '../../settings/metadata.ts';
import { fieldOf } from '../../settings/setting-fields.ts';
import { type KbSettingName, kbSettingGroups, kbSettingKeys, recipeKeys } from './keys.ts';

export type KbSettingGroup = keyof typeof kbSettingGroups;

/** A setting of a knowledge base. Callers with `kbs_edit` change it; nothing locks it. */
export interface KbSettingMetadata extends SettingMetadata<KbSettingName> {
  group: KbSettingGroup;
  /** `evaluation`: an evaluation can try another value without storing it. */
  layers: ('knowledge_base' | 'evaluation')[];
  /** After a change, documents have to be trained again before it has an effect on them. */
  needsReindex: boolean;
}

/** Documents are not trained again for an evaluation, and it does not look at citations. */
const triedGroups: readonly KbSettingGroup[] = ['retrieval', 'embedding', 'privacy'];

const namesIn = (group: KbSettingGroup): KbSettingName[] => keysOf(kbSettingGroups[group]);

/** Every setting of knowledge bases, in the order of answers. */
export const kbSettingsMetadata = (): readonly KbSettingMetadata[] =>
  keysOf(kbSettingGroups).flatMap((group) =>
    namesIn(group).map((name) => {
      const { section, label, help, fallback, shownWhen = null } = kbSettingKeys[name];
      return {
        ...{ key: name, group, section, label, help },
        ...fieldOf(kbSettingKeys[name]),
        default: fallback,
        references: null,
        layers: triedGroups.includes(group) ? ['knowledge_base', 'evaluation'] : ['knowledge_base'],
        needsReindex: recipeKeys.includes(name),
        shownWhen,
      };
    }),
  );

/** The headings of a settings form, in their order. */
export const kbSettingsOutline: readonly { group: KbSettingGroup; label: string; sections: readonly string[] }[] = [
  { group: 'retrieval', label: 'Search', sections: ['Search', 'Reranking'] },
  { group: 'ingestion', label: 'Documents', sections: ['Passages', 'Enrichment'] },
  { group: 'formats', label: 'File formats', sections: ['PDF', 'Text', 'Web pages', 'Images', 'Tabular files'] },
  { group: 'embedding', label: 'Embedding', sections: ['Embedding'] },
  { group: 'privacy', label: 'Privacy', sections: ['Personal data'] },
  { group: 'citation', label: 'Citations', sections: ['Citations'] },
  { group: 'layout', label: 'Layout', sections: ['Layout strings'] },
];
