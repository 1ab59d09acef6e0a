import { type AgentFile, fileFormat, fileVersion } from '@atrium/contract/agents/exchange-schema.ts';
import type { Scope } from '../../../lib/scope.ts';
import { removeUrlCredentials } from '../../../lib/secrets/mask-url.ts';
import type { ReferenceLookups } from '../../settings/ports.ts';
import { nameReferences, referencesIn, stripSettings } from '../../settings/service.ts';
import { type Agents, readSettings } from '../service.ts';

/** The file, and the id of its agent. */
export type ExportedAgent = AgentFile & { id: string };
export type AgentExport = (scope: Scope, id: string) => Promise<ExportedAgent>;

/** Exports an agent as one file: its settings and the names of the records that they refer to, without secrets. */
export function makeAgentExport({ agents, lookups }: { agents: Agents; lookups: ReferenceLookups }): AgentExport {
  return async (scope, id) => {
    const { name, description, visible, image_url, allow_public_access, ...row } = await agents.get(scope, id);
    const definition = stripSettings(readSettings(row.definition), ['agent', 'definition']);
    const draft =
      row.draft_definition === null
        ? null
        : stripSettings(readSettings(row.draft_definition), ['agent', 'draft_definition']);
    const image = image_url && removeUrlCredentials(image_url);
    const places = [
      ...(image === image_url ? [] : [['agent', 'image_url']]),
      ...definition.places,
      ...(draft?.places ?? []),
    ];
    return {
      id,
      format: fileFormat,
      version: fileVersion,
      exported_at: new Date().toISOString(),
      agent: {
        name,
        description,
        visible,
        image_url: image,
        allow_public_access,
        definition: definition.value,
        draft_definition: draft?.value ?? null,
      },
      references: await nameReferences(
        scope,
        [...referencesIn(definition.value), ...referencesIn(draft?.value ?? {})],
        lookups,
      ),
      secrets: places.map((path) => ({ path })),
    };
  };
}
