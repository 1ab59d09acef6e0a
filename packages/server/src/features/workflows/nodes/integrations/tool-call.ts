import type { Settings } from '@atrium/contract/settings/settings.ts';
import { toolCallNodeType } from '@atrium/contract/workflows/node-types/integrations/tool-call.ts';
import type { Scope } from '../../../../lib/scope.ts';
import type { Anonymization } from '../../../anonymization/service.ts';
import { approvalNeed, entriesFor } from '../../../approvals/service.ts';
import { tightenToInherited } from '../../../settings/service.ts';
import type { SecretSetting, ToolProvider, ToolSecrets } from '../../../tools/ports.ts';
import { runTool } from '../../../tools/service.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

export interface ToolCallNeeds {
  /** The settings of the published version of an agent. */
  settingsOf(scope: Scope, agent_id: string): Promise<Settings>;
  /** The settings that a caller without variables_read has saved. */
  restrictedOf(scope: Scope, agent_id: string): Promise<readonly SecretSetting[]>;
  /** The sources of tools that need no conversation. */
  sources(): readonly ToolProvider[];
  /** The sources of base tools, which work in a conversation: they have its files, its to-dos and its sandbox. */
  conversationSources(): readonly ToolProvider[];
  privacy: Pick<Anonymization, 'temporaryAnonymizer'>;
}

/** Prefixes of tool names that differ from the type of the tool. */
const prefixes: Readonly<Record<string, string>> = { kb_qa: 'kb', agent_tool: 'coworker', subagent: 'subagents' };

const notForFlows = (tool: string, why: string) =>
  new NodeFailure('tool_not_allowed', `${tool} is not for flows to call: ${why}`, { passing: false });

const isOfType = (tool: string, type: string) => {
  const prefix = prefixes[type] ?? type;
  return tool === prefix || tool.startsWith(`${prefix}_`);
};

/** The workflow chooses the tool and its arguments; the agent only provides the settings of the tool. */
export const makeToolCallNode = ({ settingsOf, restrictedOf, sources, conversationSources, privacy }: ToolCallNeeds) =>
  defineNode(toolCallNodeType, async (context, inputs, { agent_id, tool: name, fixed }) => {
    const { scope, signal, run_id, reveal, scrub, key } = context;
    requirePermission(scope, 'agents_run');
    const types = scope.tool_types ?? [];
    if (types.length > 0 && !types.some((type) => isOfType(name, type)))
      throw notForFlows(name, 'chatflow_tools of the conversation do not name its type');
    const settings = tightenToInherited(await rethrowAsNodeFailure(settingsOf(scope, agent_id)), scope.inherits);
    const restricted = await restrictedOf(scope, agent_id);
    const conversation_id = scope.inherits?.conversation_id;
    const secrets: ToolSecrets = {
      reveal: (value, to) => reveal(value, to, to.setting !== undefined && restricted.includes(to.setting)),
      scrub,
    };
    const about = {
      anonymizer: privacy.temporaryAnonymizer(settings, scope),
      run_id,
      conversation_id: conversation_id ?? run_id,
      agent_id,
      secrets,
    };
    const used = conversation_id ? [...sources(), ...conversationSources()] : sources();
    const made = await rethrowAsNodeFailure(Promise.all(used.map((source) => source(scope, settings, about))));
    const tools = made.flat();
    const call = {
      type: 'tool-call' as const,
      id: key,
      name,
      input: { ...fixed, ...(inputs['arguments'] as object) },
    };
    const taint = new Set<never>();
    const tool = tools.find((one) => one.tool === name);
    if (!tool && !conversation_id && settings.base_tools.some(({ type }) => isOfType(name, type)))
      throw notForFlows(name, 'base tools work in a conversation, and this run belongs to none');
    if (tool && entriesFor(settings, tool).some((entry) => entry['chatflow_usable'] === false))
      throw notForFlows(name, 'chatflow_usable of its entry is false');
    // A flow chooses its calls itself, so only an agent that always asks holds them back.
    const egress = settings.egress_approval.mode === 'always' ? 'always' : 'never';
    if (approvalNeed(tool, call, { settings, taint, egress }))
      throw new NodeFailure(
        'needs_approval',
        `${name} is only called with a person's word, which a flow does not have`,
        {
          passing: false,
        },
      );
    // No person checks the values that a flow passes on, so records that a tool stores of them count as untrusted.
    const kept = [...new Set(['untrusted' as const, ...(scope.brings ?? [])])];
    const options = { scope, timeout_ms: 86_400_000, signal, secrets, as_user: true, taint: kept };
    const { output, is_error, account } = await runTool(tools, call, options);
    if (!is_error) return { output };
    const { error } = output as { error: string };
    throw new NodeFailure(`tool_${account.outcome}`, error, { passing: account.outcome === 'error' });
  });
