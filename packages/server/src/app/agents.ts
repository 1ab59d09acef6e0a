import type { Database } from '../db/database.ts';
import type { Previews } from '../drivers/previews/driver.ts';
import { makeAgentSettings } from '../features/agents/agent-settings.ts';
import { agentCopyRoutes } from '../features/agents/copy-handlers.ts';
import { makeDuplicateAgent } from '../features/agents/duplicate-agent.ts';
import { makeAgentRecords } from '../features/agents/exchange/agent-records.ts';
import { agentExchangeRoutes } from '../features/agents/exchange/exchange-handlers.ts';
import { makeAgentExport } from '../features/agents/exchange/export-agent.ts';
import { makeAgentImport } from '../features/agents/exchange/import-agent.ts';
import { makeFollowers } from '../features/agents/followers/followers.ts';
import { agentRoutes } from '../features/agents/handlers.ts';
import { unlockRequestRoutes } from '../features/agents/locks/unlock-handlers.ts';
import { makeUnlockRequests } from '../features/agents/locks/unlock-requests.ts';
import { agentPictureRoutes } from '../features/agents/pictures/picture-handlers.ts';
import { makeAgentPictures } from '../features/agents/pictures/pictures.ts';
import type { PublishGate } from '../features/agents/ports.ts';
import { makeAgentPresenter } from '../features/agents/present.ts';
import { makeAgentLookup } from '../features/agents/reference-lookups.ts';
import { makeAgents } from '../features/agents/service.ts';
import { makeStartingPoints } from '../features/agents/starting-points/load-starting-points.ts';
import { makeAgentVersions } from '../features/agents/versions/agent-versions.ts';
import { agentVersionRoutes } from '../features/agents/versions/version-handlers.ts';
import type {
  ReferenceCheckers,
  ReferenceLookups,
  SettingsAuthority,
  SettingsTextCache,
  SettingsWarnings,
} from '../features/settings/ports.ts';

/** Agents with their versions, and how they move between workspaces. */
export function composeAgents(deps: {
  db: Database;
  authority: SettingsAuthority;
  references: ReferenceCheckers;
  lookups: ReferenceLookups;
  warnings: SettingsWarnings;
  settingsText: SettingsTextCache;
  draw: Previews;
  gate(): PublishGate;
}) {
  const { db, authority, references, lookups, warnings, gate } = deps;
  const startingPoints = makeStartingPoints();
  const agents = makeAgents({ ...deps, startingPoints });
  const duplicate = makeDuplicateAgent({ db, authority });
  const followers = makeFollowers({ db, agents });
  const versions = makeAgentVersions(deps);
  const present = makeAgentPresenter(deps.settingsText);
  const exporting = makeAgentExport({ agents, lookups });
  const importing = makeAgentImport({ db, authority, references, lookups, warnings, gate });
  const unlockRequests = makeUnlockRequests({ db, authority });
  return {
    unlockRequests,
    records: makeAgentRecords({ db, authority, references }),
    agents,
    versions,
    agentSettings: makeAgentSettings({ db }),
    lookup: makeAgentLookup({ db }),
    routes: [
      ...agentRoutes(agents, present),
      ...agentPictureRoutes(makeAgentPictures({ db, draw: deps.draw })),
      ...agentCopyRoutes({ agents, duplicate, followers, startingPoints, present }),
      ...agentVersionRoutes(versions, present),
      ...unlockRequestRoutes(unlockRequests),
      ...agentExchangeRoutes({ exporting, importing, present }),
    ],
  };
}
