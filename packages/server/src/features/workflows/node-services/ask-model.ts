import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import type { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import { type ModelRequest, plainRequest, systemOf } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { type CoveredText, readMarks } from '../../../lib/text/covered-text.ts';
import type { Anonymization } from '../../anonymization/service.ts';
import { fitToModel, type Registry } from '../../models/service.ts';
import type { CallEvent, CallResult, Candidate } from '../../runs/ports.ts';
import { callModel, replyCut } from '../../runs/service.ts';
import type { RunAccounts } from '../../usage/ports.ts';
import { estimateInput } from '../../usage/service.ts';
import type { NodeContext } from '../nodes/define-node.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import { anonymizerForNode } from './node-anonymizer.ts';
import type { NodeGuardrails } from './node-guardrails.ts';

export interface Question {
  model: string[];
  temperature: number;
  max_tokens: number;
  anonymize: (typeof piiEntities)[number][];
  /** Texts of the operator, in which the values of the run are marked. */
  system: string;
  /** Marked as well when it is a template; else all of it is a value. */
  text: string | CoveredText;
  /** The JSON schema that the answer must have. */
  json_schema?: Record<string, unknown>;
}

export interface ModelAnswer {
  text: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  finish_reason?: FinishReason;
}

/** Calls a language model for a node: anonymized, with retries, and with the next model when one fails. */
export type AskModel = (context: NodeContext, question: Question) => Promise<ModelAnswer>;

/** For steps that the built-in model cannot do: it only finds and quotes. */
export const needsLanguageModel = () =>
  new NodeFailure(
    'model_not_configured',
    'This step needs a language model, and none is configured: add a provider at /v1/admin/providers',
    { passing: false },
  );
export const isBuiltIn = (model: string) => model.startsWith('atrium/');

const retry_on = [408, 409, 429, 500, 502, 503, 504];

export function makeAskModel(deps: {
  registry: Registry;
  privacy: Anonymization;
  guard: NodeGuardrails;
  accounts: Pick<RunAccounts, 'forWorkflow'>;
}): AskModel {
  const { registry, privacy, guard, accounts } = deps;
  return async (context, question) => {
    const { models, skipped } = await registry.resolve(context.scope, question.model);
    if (models.length === 0)
      throw new NodeFailure(
        'model_not_configured',
        skipped.map(({ name, reason }) => `${name}: ${reason}`).join(' ') ||
          'This step has no model: choose one in its field `model`',
        { passing: false },
      );
    // A preset stands for the built-in model where no provider is configured; only its name asks for it.
    const onlyBuiltIn = models.every(({ info }) => isBuiltIn(info.name));
    if (onlyBuiltIn && (question.json_schema || !question.model.some(isBuiltIn))) throw needsLanguageModel();
    const anonymizer = anonymizerForNode(privacy, context.scope, question.anonymize);
    const check = guard(context, anonymizer);
    const said = typeof question.text === 'string' ? { text: question.text } : question.text;
    await check('input', said.text);
    const base: Omit<ModelRequest, 'model' | 'max_tokens'> = {
      ...plainRequest,
      ...systemOf(readMarks(question.system)),
      messages: [{ role: 'user', parts: [{ type: 'text', ...said }] }],
      temperature: question.temperature,
      ...(question.json_schema && { json_schema: question.json_schema }),
    };
    const candidates = models.flatMap(({ info, addresses }): Candidate[] =>
      addresses(anonymizer).map((model, address) => {
        const asked = { ...base, model: info.model, max_tokens: question.max_tokens };
        return { name: info.name, address, model, purpose: 'workflow', ...fitToModel(info, asked) };
      }),
    );
    const limits = accounts.forWorkflow(context.scope, context.run_id, context.signal);
    const budget = limits?.budget(
      estimateInput(base.messages, [], base.system + JSON.stringify(base.json_schema ?? '')),
    );
    // The time limit of the node ends the call by its signal.
    const patience = { timeout_ms: 600_000, retries: 2, retry_on, deadline: Date.now() + 86_400_000 };
    try {
      const answer = await wholeAnswer(callModel(candidates, patience, context.signal, budget), context);
      await check('output', answer.text);
      return answer;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof RunFailure) {
        // Another try does not help when a usage limit or a budget is reached.
        const passing = error.code !== 'usage_limit_reached' && error.code !== 'budget_reached';
        throw new NodeFailure(error.code, error.message, { cause: error.cause, passing });
      }
      throw error;
    }
  };
}

async function wholeAnswer(answer: AsyncGenerator<CallEvent, CallResult>, { warn }: NodeContext): Promise<ModelAnswer> {
  let text = '';
  let next = await answer.next();
  for (; !next.done; next = await answer.next()) {
    const part = next.value;
    if (part.type === 'attempt' && part.discard) text = '';
    if (part.type === 'text') text += part.text;
    if (part.type === 'warning') warn({ code: part.code ?? 'setting_not_taken', message: part.message });
  }
  const { model, usage, lowered, finish_reason } = next.value;
  if (lowered && finish_reason === 'length')
    throw new NodeFailure('usage_limit_reached', 'The answer was cut short by usage_limits_maximum_tokens', {
      passing: false,
    });
  if (finish_reason === 'length') warn({ code: 'reply_cut', message: replyCut });
  return { text, model, finish_reason, input_tokens: usage.input_tokens, output_tokens: usage.output_tokens };
}
