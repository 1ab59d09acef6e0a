import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import { isAsStrict, requirePermissions, uuid } from '../../settings/service.ts';

/** The resources that a message may name besides its text. */
interface Named {
  model_selection?: string[] | undefined;
  kb_id?: string | undefined;
  workflow_id?: string | undefined;
}

const idOf = (entry: string | { id: string }) => (typeof entry === 'string' ? entry : entry.id).toLowerCase();
const lists = (entries: readonly (string | { id: string })[], id: string) => entries.some((one) => idOf(one) === id);

/** Whether settings have tools that search this knowledge base. */
const hasBase = ({ knowledge_bases, tools }: Settings, id: string) =>
  lists(knowledge_bases, id) || tools.some(({ type, kb_id }) => type === 'kb_qa' && String(kb_id).toLowerCase() === id);

const hasWorkflow = ({ workflows, tools }: Settings, id: string) =>
  lists(workflows, id) ||
  tools.some(({ type, workflow_id }) => type === 'workflow' && String(workflow_id).toLowerCase() === id);

export const hasNamedResources = ({ model_selection, kb_id, workflow_id }: Named) =>
  Boolean(model_selection?.length || kb_id || workflow_id);

/**
 * A resource that a message names is used for one run as if the conversation's settings listed it, so its sender needs the
 * same permissions: none for the agent's own models, knowledge bases and workflows; `agents_edit` and the permission of the
 * resource for others. Invalid ids are ignored.
 */
export function requireMessagePermissions({ permissions }: Scope, settings: Settings, named: Named): void {
  const missing = new Map<string, Permission[]>();
  const need = (name: string, ...needed: Permission[]) =>
    missing.set(
      name,
      needed.filter((one) => !allows(permissions, one)),
    );
  const { model_selection: models = [], kb_id = '', workflow_id = '' } = named;
  if (models.length && !isAsStrict('model', settings.model, models)) need('model_selection', 'agents_edit');
  const [base, workflow] = [kb_id.toLowerCase(), workflow_id.toLowerCase()];
  if (uuid.test(base) && !hasBase(settings, base)) need('kb_id', 'agents_edit', 'kbs_query');
  if (uuid.test(workflow) && !hasWorkflow(settings, workflow)) need('workflow_id', 'agents_edit', 'flows_run');
  requirePermissions(missing);
}

/** The models that a message chooses, if the caller may choose them: it may not be the sender, but regenerate the answer. */
export function selectedModels({ permissions }: Scope, settings: Settings, { model_selection: models }: Named) {
  const isAllowed = allows(permissions, 'agents_edit') || (models && isAsStrict('model', settings.model, models));
  return isAllowed ? models : undefined;
}

/**
 * The settings of a run with the overrides of its message. Checks permissions again: the sender may have lost them
 * while the message was queued.
 */
export function addNamedResources(
  settings: Settings,
  { kb_id = '', workflow_id = '' }: Named,
  { permissions }: Scope,
): Settings {
  const may = (needed: Permission) => allows(permissions, 'agents_edit') && allows(permissions, needed);
  const tools = [
    ...(uuid.test(kb_id) && !hasBase(settings, kb_id.toLowerCase()) && may('kbs_query')
      ? [{ type: 'kb_qa', kb_id }]
      : []),
    ...(uuid.test(workflow_id) && !hasWorkflow(settings, workflow_id.toLowerCase()) && may('flows_run')
      ? [{ type: 'workflow', workflow_id }]
      : []),
  ];
  return tools.length ? { ...settings, tools: [...settings.tools, ...tools] } : settings;
}
