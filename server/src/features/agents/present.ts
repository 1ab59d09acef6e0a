import { jsonText } from '../../lib/answer.ts';
import type { Paged } from '../../lib/page.ts';
import { spliceJson, splicePage } from '../../lib/splice.ts';
import type { SettingsTexts } from '../settings/settings-text.ts';
import type { Imported } from './import.ts';
import type { AgentRow } from './store.ts';
import type { VersionRow } from './version-store.ts';

/** Agents and versions as answers: their settings whole, spliced in as text. */
export function makeAgentPresenter(settingsText: SettingsTexts) {
  const agentText = ({ definition, draft_definition, ...row }: AgentRow) =>
    spliceJson(row, {
      definition: settingsText([definition]),
      draft_definition: draft_definition === null ? 'null' : settingsText([draft_definition]),
    });
  const versionText = ({ definition, ...row }: VersionRow) =>
    spliceJson(row, { definition: settingsText([definition]) });

  return {
    agentText,
    agent: (row: AgentRow) => jsonText(agentText(row)),
    agents: (page: Paged<AgentRow>) => jsonText(splicePage({ ...page, items: page.items.map(agentText) })),
    imported: ({ agent, report }: Imported) => jsonText(spliceJson({ report }, { agent: agentText(agent) })),
    version: (row: VersionRow) => jsonText(versionText(row)),
    versions: (rows: VersionRow[]) => jsonText(`[${rows.map(versionText).join(',')}]`),
  };
}

export type AgentPresenter = ReturnType<typeof makeAgentPresenter>;
