import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { ImportTarget } from '../../personal-data/ports.ts';
import { relink } from './relink-references.ts';

type Fields = Record<string, unknown>;

/**
 * Settings of an archive with the ids of the new workspace. Entries that refer to records which the archive does not have are
 * dropped, and so is trust, which the one who imports has not given. With `at` both are reported.
 */
export function rewriteSettings(
  { idOf, rewriteIds, note }: Pick<ImportTarget, 'idOf' | 'rewriteIds' | 'note'>,
  settings: SparseSettings,
  name: string,
  at?: string,
): SparseSettings {
  const tell = (what: 'left_out' | 'trust', detail: string) => {
    if (at !== undefined) note({ what, kind: 'agent', name, detail });
  };
  const { settings: known, missing } = relink(settings, at ? [at] : [], (kind, id) => (idOf(kind, id) ? id : null));
  for (const { kind, id, path } of missing) tell('left_out', `${path.join('.')}: ${kind} ${id}`);
  for (const [key, list] of Object.entries(known)) {
    if (!Array.isArray(list)) continue;
    for (const [index, entry] of (list as unknown[]).entries()) {
      if (typeof entry !== 'object' || entry === null) continue;
      const place = `${at}.${key}.${index}`;
      const fields = entry as Fields;
      if (fields['trusted'] === true) {
        delete fields['trusted'];
        tell('trust', place);
      }
      const { workflow_id, version_id } = fields;
      if (workflow_id === undefined || typeof version_id !== 'string' || idOf('workflow_version', version_id)) continue;
      delete fields['version_id'];
      tell('left_out', `${place}.version_id: workflow_version ${version_id}`);
    }
  }
  return JSON.parse(rewriteIds(JSON.stringify(known))) as SparseSettings;
}
