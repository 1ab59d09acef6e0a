import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import type { Db } from '../../db/database.ts';
import { referencesIn } from '../settings/service.ts';
import { readSettings } from './service.ts';
import { agentsMentioning } from './store.ts';

export interface AgentReference {
  kind: 'agent';
  id: string;
  name: string;
}

/** The agents whose published or drafted settings refer to these records of the workspace, by the id of the record. */
export async function findAgentsUsing(
  db: Db,
  workspace_id: string,
  kind: ReferenceKind,
  ids: readonly string[],
): Promise<Map<string, AgentReference[]>> {
  const users = new Map<string, AgentReference[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return users;
  for (const { id, name, definition, draft_definition } of await agentsMentioning(db, workspace_id, ids)) {
    const settings = [definition, draft_definition].flatMap((text) => (text === null ? [] : [readSettings(text)]));
    const used = settings.flatMap(referencesIn).filter((reference) => reference.kind === kind);
    for (const record of new Set(used.map((reference) => reference.id.toLowerCase())))
      users.get(record)?.push({ kind: 'agent', id, name });
  }
  return users;
}
