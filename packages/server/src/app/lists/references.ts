import { makeFileLookup } from '../../features/agents/reference-lookups.ts';
import type { ReferenceCheckers, ReferenceLookups } from '../../features/settings/ports.ts';
import type { Parts } from './parts.ts';

type Referred = Pick<Parts, 'agentParts' | 'knowledgeBases' | 'mcp' | 'tables' | 'variables'> &
  Pick<Parts['filing'], 'files'>;

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
  } satisfies ReferenceCheckers);
  Object.assign(lookups, {
    agent: agentParts.lookup,
    file: makeFileLookup(files),
    variable: variables.lookup,
    table: tables.lookup,
    knowledge_base: knowledgeBases.bases.lookup,
  } satisfies ReferenceLookups);
}
