import type { Paged } from '@atrium/contract/page.ts';
import { jsonText, type RawAnswer } from '../../lib/responses/raw-answer.ts';
import { spliceJson, splicePage } from '../../lib/responses/splice-json.ts';
import type { Scope } from '../../lib/scope.ts';
import { mayOf } from '../may/service.ts';
import type { SettingsTextCache } from '../settings/ports.ts';
import { mustMaskCredentials, withWarnings } from '../settings/service.ts';
import type { Imported } from './exchange/import-agent.ts';
import { type AgentRow, draftOf } from './store.ts';
import type { VersionRow } from './versions/version-store.ts';

type Present<T> = (value: T, scope: Scope) => RawAnswer;
export interface AgentPresenter {
  agent: Present<AgentRow>;
  agents: Present<Paged<AgentRow>>;
  imported: Present<Imported>;
  version: Present<VersionRow>;
  versions: Present<VersionRow[]>;
}

/** Agents and versions as answers: all settings, spliced in as text and masked for callers that may not edit agents. */
export function makeAgentPresenter(settingsText: SettingsTextCache): AgentPresenter {
  const agentText = (agent: AgentRow, scope: Scope) => {
    const { definition, draft_definition, draft_by: _, draft_by_actor: __, draft_at: ___, ...row } = agent;
    const draft = draftOf(agent);
    const masked = mustMaskCredentials(scope);
    return spliceJson(
      { ...row, draft, may: mayOf('agent', scope, { unlock: row.locks.length > 0 }) },
      {
        definition: settingsText([definition], { masked }),
        draft_definition: draft_definition === null ? 'null' : settingsText([draft_definition], { masked }),
      },
    );
  };
  const versionText = ({ definition, ...row }: VersionRow, scope: Scope) =>
    spliceJson(row, { definition: settingsText([definition], { masked: mustMaskCredentials(scope) }) });

  return {
    agent: (row, scope) => jsonText(agentText(row, scope)),
    agents: (page, scope) => jsonText(splicePage({ ...page, items: page.items.map((row) => agentText(row, scope)) })),
    imported: ({ agent, report, warnings }, scope) =>
      jsonText(spliceJson(withWarnings({ report }, warnings), { agent: agentText(agent, scope) })),
    version: (row, scope) => jsonText(versionText(row, scope)),
    versions: (rows, scope) => jsonText(`[${rows.map((row) => versionText(row, scope)).join(',')}]`),
  };
}
