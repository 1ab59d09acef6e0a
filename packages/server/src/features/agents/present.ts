import type { Paged } from '@atrium/contract/page.ts';
import { jsonText } from '../../lib/responses/raw-answer.ts';
import { spliceJson, splicePage } from '../../lib/responses/splice-json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { SettingsTextCache } from '../settings/ports.ts';
import { mustMaskCredentials } from '../settings/service.ts';
import type { Imported } from './exchange/import-agent.ts';
import type { AgentRow } from './store.ts';
import type { VersionRow } from './versions/version-store.ts';

/** Agents and versions as answers: their settings whole, spliced in as text, as far as the caller may see them. */
export function makeAgentPresenter(settingsText: SettingsTextCache) {
  const agentText = ({ definition, draft_definition, ...row }: AgentRow, scope: Scope) => {
    const masked = mustMaskCredentials(scope);
    return spliceJson(row, {
      definition: settingsText([definition], { masked }),
      draft_definition: draft_definition === null ? 'null' : settingsText([draft_definition], { masked }),
    });
  };
  const versionText = ({ definition, ...row }: VersionRow, scope: Scope) =>
    spliceJson(row, { definition: settingsText([definition], { masked: mustMaskCredentials(scope) }) });

  return {
    agent: (row: AgentRow, scope: Scope) => jsonText(agentText(row, scope)),
    agents: (page: Paged<AgentRow>, scope: Scope) =>
      jsonText(splicePage({ ...page, items: page.items.map((row) => agentText(row, scope)) })),
    imported: ({ agent, report }: Imported, scope: Scope) =>
      jsonText(spliceJson({ report }, { agent: agentText(agent, scope) })),
    version: (row: VersionRow, scope: Scope) => jsonText(versionText(row, scope)),
    versions: (rows: VersionRow[], scope: Scope) =>
      jsonText(`[${rows.map((row) => versionText(row, scope)).join(',')}]`),
  };
}

export type AgentPresenter = ReturnType<typeof makeAgentPresenter>;
