import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { required } from '../../../lib/required.ts';
import { type ReferenceTargetOf, referencesIn } from '../../settings/service.ts';

export interface Missing {
  kind: string;
  id: string;
  path: string[];
}

type Holder = Record<string, unknown> & { version_id?: unknown; trusted?: unknown };
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** The object or list at a place that the settings certainly have. */
function holderOf(root: unknown, path: readonly string[]): Holder {
  let at = root;
  for (const part of path) at = isHolder(at) ? at[part] : undefined;
  if (!isHolder(at)) throw new TypeError(`Settings have no ${path.join('.')}`);
  return at;
}

/** Leaves out the entry that a place lies in: the innermost item of a list, or the key itself. */
function leaveOut(settings: SparseSettings, loc: string[]): void {
  const item = loc.findLastIndex((part) => /^\d+$/.test(part));
  if (item === -1) {
    delete holderOf(settings, [])[required(loc[0])];
    return;
  }
  const list = holderOf(settings, loc.slice(0, item));
  if (Array.isArray(list)) list.splice(Number(loc[item]), 1);
}

/** Settings with replaced references; an entry whose reference has no target is dropped. */
export function relink(
  settings: SparseSettings,
  at: string[],
  targetOf: ReferenceTargetOf,
): { settings: SparseSettings; missing: Missing[] } {
  const linked = structuredClone(settings);
  const missing: Missing[] = [];
  // From the last to the first, so that an entry left out does not move those still to come.
  for (const { kind, id, loc } of referencesIn(settings).reverse()) {
    const target = targetOf(kind, id);
    if (target === null) {
      leaveOut(linked, loc);
      missing.unshift({ kind, id, path: [...at, ...loc] });
    } else if (target !== id) {
      const holder = holderOf(linked, loc.slice(0, -1));
      holder[required(loc.at(-1))] = target;
      // The person who vouched for the record did not mean this one.
      delete (loc[0] === 'skills' ? holderOf(linked, loc.slice(0, 2)) : holder).trusted;
      // A version belongs to the workflow it was made of; without one the newest is used.
      if (kind === 'workflow' && typeof holder.version_id === 'string') {
        const path = [...at, ...loc.slice(0, -1), 'version_id'];
        missing.unshift({ kind: 'workflow_version', id: holder.version_id, path });
        delete holder.version_id;
      }
    }
  }
  return { settings: linked, missing };
}
