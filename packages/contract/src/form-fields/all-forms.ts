import { agentForm } from './agent-form.ts';
import { baseToolForm } from './base-tool-form.ts';
import { channelForm } from './channel-form.ts';
import type { FieldKind, Form } from './form.ts';
import { knowledgeBaseForm } from './knowledge-base-form.ts';
import { nodeForm } from './node-form.ts';
import { providerForm } from './provider-form.ts';
import { triggerForm } from './trigger-form.ts';
import { variableForm } from './variable-form.ts';

const makers: Record<FieldKind, () => Form> = {
  agents: agentForm,
  'base-tools': baseToolForm,
  'knowledge-bases': knowledgeBaseForm,
  channels: channelForm,
  providers: providerForm,
  triggers: triggerForm,
  variables: variableForm,
  nodes: nodeForm,
};
const made = new Map<FieldKind, Form>();

/** The form of a kind of record; made when it is first asked for, and the same from then on. */
export function formOf(kind: FieldKind): Form {
  const form = made.get(kind) ?? makers[kind]();
  made.set(kind, form);
  return form;
}
