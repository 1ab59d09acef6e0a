import { makeFileLookup } from '../../features/agents/reference-lookups.ts';
import type { WorkspaceAudience } from '../../features/conversations/ports.ts';
import type { ReferenceChecker, ReferenceCheckers, ReferenceLookups } from '../../features/settings/ports.ts';
import type { Parts } from './parts.ts';

type Referred = Pick<Parts, 'agentParts' | 'knowledgeBases' | 'mcp' | 'tables' | 'variables'> &
  Pick<Parts['filing'], 'files'> & { audience: WorkspaceAudience };

/** The active people of a workspace, and the groups that are members of it. They are moved by id alone, never by name. */
function isOfWorkspace(audience: WorkspaceAudience, kind: 'person' | 'user_group'): ReferenceChecker {
  return async (scope, ids) =>
    new Set((await audience.named(scope, ids)).flatMap((found) => (found.kind === kind ? [found.id] : [])));
}

/** The records that settings can refer to, but for workflows, which need these before they are made. */
export function addReferences(references: ReferenceCheckers, lookups: ReferenceLookups, parts: Referred): void {
  const { agentParts, files, knowledgeBases, mcp, tables, variables } = parts;
  Object.assign(references, {
    agent: agentParts.agents.exists,
    file: files.exists,
    variable: variables.exists,
    table: tables.exists,
    knowledge_base: knowledgeBases.bases.exists,
    programs: mcp.usablePrograms,
    variable_names: async (scope, names) => new Set((await variables.byName(scope, names)).map(({ name }) => name)),
    person: isOfWorkspace(parts.audience, 'person'),
    user_group: isOfWorkspace(parts.audience, 'user_group'),
  } satisfies ReferenceCheckers);
  Object.assign(lookups, {
    agent: agentParts.lookup,
    file: makeFileLookup(files),
    variable: variables.lookup,
    table: tables.lookup,
    knowledge_base: knowledgeBases.bases.lookup,
  } satisfies ReferenceLookups);
}
