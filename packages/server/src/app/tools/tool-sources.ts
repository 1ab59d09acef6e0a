import { makePostgresDatabases } from '../../drivers/databases/postgres.ts';
import { makeExtract } from '../../drivers/extractors/extract.ts';
import type { Web } from '../../drivers/web/driver.ts';
import { makeActionTools } from '../../features/actions/tools.ts';
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
