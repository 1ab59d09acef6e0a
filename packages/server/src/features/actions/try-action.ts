import type { ActionTrial, ActionTry } from '@atrium/contract/agents/action-trial.ts';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { fromJsonSchema } from '@atrium/contract/schema/from-json.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import { effectiveSettings, type Settings } from '@atrium/contract/settings/settings.ts';
import { explainRefusal, type Web, WebRefused } from '../../drivers/web/driver.ts';
import type { Counters } from '../../lib/counters/ports.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import { coverTexts } from '../../lib/secrets/cover-texts.ts';
import { type Agents, settingsOf } from '../agents/service.ts';
import { permissionsToUse, requirePermissions, restoreMaskedSettings } from '../settings/service.ts';
import { ToolError } from '../tools/service.ts';
import type { VariableResolver } from '../variables/ports.ts';
import { type Entry, schemaOf, sendAction, troubleOf } from './send-action.ts';

export type TryAction = (scope: Scope, agent_id: string, input: ActionTry) => Promise<ActionTrial>;

const time = { timeout_ms: 15_000, idle_ms: 10_000 };
const mostText = 10_000;
const mostTries = 30;
const minute = 60_000;

/** The texts of a value, for those that a mask stood for. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const bodyText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

/** Sends the request of an action once, for the author who is writing it. Nothing is kept but a row of the audit log. */
export function makeTryAction(deps: {
  agents: Pick<Agents, 'get'>;
  web: Web;
  counters: Counters;
  /** Rejects with a ToolError where a variable can not be read. */
  variables: VariableResolver;
}): TryAction {
  async function requireTurn({ workspace_id }: Scope): Promise<void> {
    const wait = await deps.counters.countInWindow(`action tries ${workspace_id}`, mostTries, minute);
    if (wait <= 0) return;
    const seconds = String(Math.ceil(wait / 1000));
    throw new AppError('too_many', `Actions can be tried ${mostTries} times a minute`, {
      code: 'rate_limited',
      headers: { 'retry-after': seconds, 'ratelimit-limit': String(mostTries), 'ratelimit-remaining': '0' },
    });
  }

  /** The action is checked as one that is newly saved, whether the agent has it already or not. */
  function requireRights({ permissions }: Scope, settings: Settings): void {
    const missing = permissionsToUse('actions', settings).filter((name) => !allows(permissions, name));
    requirePermissions(new Map([['actions', missing]]));
  }

  async function answerOf(scope: Scope, settings: Settings, input: unknown): Promise<Omit<ActionTrial, 'ms'>> {
    const failed = (message: string) => ({
      ...{ success: false, message, status: null, content_type: null, body: null, truncated: false },
    });
    try {
      // The caller may read variables, so no setting counts as saved by one who may not.
      const filled = await deps.variables(scope, newId(), settings, []);
      const entry = required(filled.settings.actions[0]) as Entry;
      const schema = fromJsonSchema(schemaOf(entry));
      const read = schema.safeParse(input);
      if (!read.success)
        throw new InvalidRequest(
          toValidationErrors(schema, read.error.issues, input, 'body').map((error) => ({
            ...{ ...error, loc: ['body', 'arguments', ...error.loc.slice(1)] },
          })),
        );
      const { reveal, scrub } = filled.secrets;
      try {
        const placed = { entry, setting: 'actions' as const, hosts: settings.allowed_hosts };
        const { signal } = scope;
        const { status, content_type, body } = await sendAction(deps.web, placed, read.data, { signal, reveal, time });
        const text = bodyText(scrub(body));
        const truncated = text.length > mostText;
        const shown = truncated ? text.slice(0, mostText).toWellFormed() : text;
        return scrub({ success: true, message: null, status, content_type, body: shown, truncated });
      } catch (error) {
        if (error instanceof ToolError) return failed(scrub(error.message));
        if (!(error instanceof WebRefused)) throw error;
        return failed(scrub(troubleOf(error, explainRefusal(error, { ...scope, permission: 'agents_edit' }))));
      }
    } catch (error) {
      if (error instanceof ToolError) return failed(error.message);
      throw error;
    }
  }

  return async (scope, agent_id, { action, arguments: input = {} }) => {
    const agent = await deps.agents.get(scope, agent_id);
    const layers = settingsOf(agent);
    const base = effectiveSettings(layers.at(-1) ?? null);
    const stored = layers.at(-1) ?? {};
    const { actions = [] } = restoreMaskedSettings({ actions: [action] }, stored, ['body']);
    const { variables_enabled, variables, allowed_hosts } = base;
    const settings = effectiveSettings({ variables_enabled, variables, allowed_hosts, actions });
    requireRights(scope, settings);
    await requireTurn(scope);
    const sent = new Set(textsIn(action));
    // What a mask stood for: the caller was not shown it, and a server may repeat it.
    const covered = textsIn(actions).filter((text) => !sent.has(text));
    const { name, method = 'GET', url } = action;
    const started = Date.now();
    const trial = coverTexts(await answerOf(scope, settings, input), covered);
    scope.audit?.note({
      target: { kind: 'agent', id: agent.id, name: agent.name },
      after: { tried_action: name, method, host: URL.parse(url)?.host ?? null, status: trial.status },
    });
    return { ...trial, ms: Date.now() - started };
  };
}
