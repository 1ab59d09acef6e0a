import { makePostgresDatabases } from '../../drivers/databases/postgres.ts';
import { makeExtract } from '../../drivers/extractors/extract.ts';
import type { Web } from '../../drivers/web/driver.ts';
import { actionRoutes } from '../../features/actions/handlers.ts';
import { makeActionTools } from '../../features/actions/tools.ts';
import { makeTryAction } from '../../features/actions/try-action.ts';
import { makeDatabaseTools } from '../../features/databases/tools.ts';
import type { Files } from '../../features/files/service.ts';
import { makeSkillTools } from '../../features/skills/tools.ts';
import type { ToolProvider } from '../../features/tools/ports.ts';

/** Tools that settings describe completely, without further records. */
export const composeToolSources = (deps: { web: Web; files: Files; web_allow: readonly string[] }): ToolProvider[] => [
  makeActionTools({ web: deps.web }),
  makeSkillTools({ files: deps.files, extract: makeExtract() }),
  makeDatabaseTools({ databases: makePostgresDatabases({ allow: deps.web_allow }) }),
];

/** Trying an action before its agent has it. */
export const composeActionTrials = (deps: Parameters<typeof makeTryAction>[0]) => ({
  routes: actionRoutes(makeTryAction(deps)),
});
