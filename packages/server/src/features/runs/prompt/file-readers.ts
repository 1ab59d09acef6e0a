import { allows } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Tool } from '../../tools/ports.ts';
import type { RunModels } from '../models/models-for-run.ts';

/**
 * How the model of a run can read a file of the conversation by its tools. Undefined where it can't: it has no such tool,
 * takes no tools, quotes from what it is given (the built-in model), or a flow answers in its place.
 */
export function fileReadersOf(
  scope: Scope,
  settings: Settings,
  models: Pick<RunModels, 'models'>,
  offered: readonly Tool[],
): ((file_id: string) => Promise<readonly string[]>) | undefined {
  const [first] = models.models;
  if (!first || first.info.kind === 'extractive' || (settings.agentflow_enabled && settings.agent_flow_id))
    return undefined;
  if (!models.models.every(({ info }) => info.tools || info.kind === 'extractive')) return undefined;
  const asUser = settings.tool_grant_scope === 'user';
  const readers = offered.flatMap(({ reads_files, permission }) =>
    reads_files && !(asUser && permission && !allows(scope.permissions, permission)) ? [reads_files] : [],
  );
  if (readers.length === 0) return undefined;
  let loading: Promise<(readonly [(path: string) => string, ReadonlyMap<string, string>])[]> | undefined;
  const load = () => Promise.all(readers.map(async ({ how, paths }) => [how, await paths(scope)] as const));
  return async (file_id) => {
    loading ??= load();
    return (await loading).flatMap(([how, paths]) => {
      const path = paths.get(file_id);
      return path === undefined ? [] : [how(path)];
    });
  };
}
