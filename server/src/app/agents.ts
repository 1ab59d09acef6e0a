import type { Database } from '../db/database.ts';
import { makeAgentSettings } from '../features/agents/agent-settings.ts';
import { agentExchangeRoutes } from '../features/agents/exchange-routes.ts';
import { makeAgentExport } from '../features/agents/export.ts';
import { makeAgentImport } from '../features/agents/import.ts';
import { makeAgentLookup } from '../features/agents/lookups.ts';
import { makeAgentPresenter } from '../features/agents/present.ts';
import { agentRoutes } from '../features/agents/routes.ts';
import { makeAgents } from '../features/agents/service.ts';
import { agentVersionRoutes } from '../features/agents/version-routes.ts';
import { makeAgentVersions } from '../features/agents/versions.ts';
import type { SettingsAuthority } from '../features/settings/authority.ts';
import type { ReferenceCheckers, ReferenceLookups } from '../features/settings/references.ts';
import type { SettingsTexts } from '../features/settings/settings-text.ts';
import type { SettingsWarnings } from '../features/settings/warnings.ts';

/** Agents with their versions, and how they move between workspaces. */
export function makeAgentParts(deps: {
  db: Database;
  authority: SettingsAuthority;
  references: ReferenceCheckers;
  lookups: ReferenceLookups;
  warnings: SettingsWarnings;
  settingsText: SettingsTexts;
}) {
  const { db, authority, references, lookups } = deps;
  const agents = makeAgents(deps);
  const versions = makeAgentVersions(deps);
  const present = makeAgentPresenter(deps.settingsText);
  const exporting = makeAgentExport({ agents, lookups });
  const importing = makeAgentImport({ db, authority, references, lookups });
  return {
    agents,
    versions,
    agentSettings: makeAgentSettings({ db }),
    lookup: makeAgentLookup({ db }),
    routes: [
      ...agentRoutes(agents, present),
      ...agentVersionRoutes(versions, present),
      ...agentExchangeRoutes({ exporting, importing, present }),
    ],
  };
}
