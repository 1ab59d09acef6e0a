import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { Usage } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { type ModelMessage, type ModelRequest, systemOf } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { Scope } from '../../../lib/scope.ts';
import { readMarks } from '../../../lib/text/covered-text.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import { fitToModel, type Registry, type ResolvedModel } from '../../models/service.ts';
import type { CallBudget, Limits } from '../../usage/ports.ts';
import { estimateInput } from '../../usage/service.ts';
import type { CallEvent, CallResult, Candidate } from '../ports.ts';
import { callModel, type Patience } from './call-model.ts';
import { priced } from './price-usage.ts';
import { requestSettings } from './request-settings.ts';

export type RunModels = Awaited<ReturnType<typeof modelsForRun>>;

type Said = Pick<ModelRequest, 'system' | 'system_covered' | 'messages' | 'tools' | 'max_tokens'> &
  Partial<Pick<ModelRequest, 'parallel_tool_calls' | 'tool_choice' | 'json_schema' | 'json_object' | 'stop_origin'>>;

interface Aside {
  /** Of the server or the operator; values in it are marked. */
  system: string;
  text: string;
  max_tokens: number;
}

/** The models that may answer in this run, in their order, and how they are called. */
export async function modelsForRun(
  registry: Registry,
  scope: Scope,
  settings: Settings,
  options: { selection: string[] | undefined; anonymizer: Anonymizer; deadline: number; signal: AbortSignal },
) {
  const { selection, deadline, signal } = options;
  const { models, skipped } =
    settings.auto_model_pick && !selection
      ? { models: await registry.pick(scope, settings.auto_model_preference), skipped: [] }
      : await registry.resolve(scope, selection ?? settings.model);
  if (models.length === 0)
    throw new RunFailure(
      'model_not_configured',
      skipped.map(({ name, reason }) => `${name}: ${reason}`).join(' ') ||
        'This agent has no model: choose one in its setting `model`',
    );

  const base = requestSettings(settings);
  const patience: Patience = {
    timeout_ms: settings.timeout * 1000,
    retries: settings.max_retries_per_model,
    retry_on: settings.retry_on_status_codes,
    deadline,
  };
  // Created once per run: a model keeps provider state that later requests must repeat.
  const reachable = new Map(models.map(({ info, addresses }) => [info.name, addresses(options.anonymizer)]));
  const prices = new Map(models.map(({ info }) => [info.name, info.price]));

  function candidatesFor({ info }: ResolvedModel, said: Said, purpose: Purpose): Candidate[] {
    const tools = info.tools || info.kind === 'extractive' ? said.tools : [];
    const { request, warnings } = fitToModel(info, { ...base, ...said, model: info.model, tools });
    const all = reachable.get(info.name) ?? [];
    const addresses = settings.datacenter_fallback ? all : all.slice(0, 1);
    return addresses.map((model, address) => ({ name: info.name, address, model, request, purpose, warnings }));
  }

  const call = (said: Said, purpose: Purpose = 'reply', budget?: CallBudget): AsyncGenerator<CallEvent, CallResult> =>
    callModel(
      models.flatMap((model) => candidatesFor(model, said, purpose)),
      patience,
      signal,
      budget,
    );

  return {
    models,
    skipped,
    call,
    /** The smallest context window of these models. */
    context_window: Math.min(...models.map(({ info }) => info.context_window)),
    vision: models.every(({ info }) => info.vision),
    extractive: models.every(({ info }) => info.kind === 'extractive'),
    priced: ({ model, usage }: CallResult): Usage => priced(usage, prices.get(model) ?? null),

    /** One small question aside from the conversation: a summary, a title. */
    async ask({ system, text, max_tokens }: Aside, purpose: Purpose, limits: Pick<Limits, 'budget'>) {
      const messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text }] }];
      const prompt = systemOf(readMarks(system));
      const budget = limits.budget(estimateInput(messages, [], prompt.system));
      const answer = call({ ...prompt, messages, tools: [], max_tokens }, purpose, budget);
      let said = '';
      let next = await answer.next();
      for (; !next.done; next = await answer.next()) {
        if (next.value.type === 'attempt' && next.value.discard) said = '';
        if (next.value.type === 'text') said += next.value.text;
      }
      return { text: said, usage: next.value.usage, finish_reason: next.value.finish_reason };
    },
  };
}
