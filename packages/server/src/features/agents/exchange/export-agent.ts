import { type AgentFile, fileFormat, fileVersion } from '@atrium/contract/agents/exchange-schema.ts';
import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import type { Scope } from '../../../lib/scope.ts';
import { removeUrlCredentials } from '../../../lib/secrets/mask-credentials.ts';
import type { Reference, ReferenceLookups } from '../../settings/ports.ts';
import { referencesIn } from '../../settings/service.ts';
import { type Agents, readSettings } from '../service.ts';
import { referenceKey } from './resolve-references.ts';
import { withoutSecrets } from './strip-secrets.ts';

export type AgentExport = ReturnType<typeof makeAgentExport>;
/** The file, and whose it is. */
export type ExportedAgent = AgentFile & { id: string };

/** An agent as one file: what was set, what it refers to by name, and no secret. */
export function makeAgentExport({ agents, lookups }: { agents: Agents; lookups: ReferenceLookups }) {
  /** Ids alone say nothing in another workspace, so names go along. */
  async function named(scope: Scope, references: Reference[]): Promise<AgentFile['references']> {
    const once = [...new Map(references.map((one) => [referenceKey(one), one])).values()];
    const names = new Map<ReferenceKind, Map<string, string>>();
    for (const [kind, of] of Map.groupBy(once, (one) => one.kind)) {
      const ids = of.map(({ id }) => id.toLowerCase());
      names.set(kind, (await lookups[kind]?.names(scope, ids)) ?? new Map());
    }
    return once.map(({ kind, id }) => ({ kind, id, name: names.get(kind)?.get(id.toLowerCase()) ?? null }));
  }

  return async (scope: Scope, id: string): Promise<ExportedAgent> => {
    const { name, description, visible, image_url, allow_public_access, ...row } = await agents.get(scope, id);
    const definition = withoutSecrets(readSettings(row.definition), ['agent', 'definition']);
    const draft =
      row.draft_definition === null
        ? null
        : withoutSecrets(readSettings(row.draft_definition), ['agent', 'draft_definition']);
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
        definition: definition.settings,
        draft_definition: draft?.settings ?? null,
      },
      references: await named(scope, [...referencesIn(definition.settings), ...referencesIn(draft?.settings ?? {})]),
      secrets: places.map((path) => ({ path })),
    };
  };
}
