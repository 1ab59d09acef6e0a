import type { Scope } from '../../lib/scope.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import type { Registry, ResolvedModel } from '../models/service.ts';
import { askModel } from './ask-guardrail-model.ts';
import type { Ask } from './guardrail-question.ts';
import { GuardrailUnavailable } from './guardrail-unavailable.ts';
import { makeJudge } from './judge.ts';
import type { Judge } from './ports.ts';

export interface GuardrailsOptions {
  registry: Registry;
  /** The model to ask, as in settings; undefined: the least expensive model. */
  default_model(): string | undefined;
  timeout_ms: number;
}

export interface Guardrails {
  modelFor(scope: Scope): Promise<ResolvedModel>;
  /** Makes a judge for one run, which remembers its grades. */
  judge(ask: Ask): Judge;
  /** Makes a function that asks the model; its questions pass through the anonymizer. */
  askFor(scope: Scope, anonymizer: Anonymizer): Promise<Ask>;
}

export { GuardrailUnavailable } from './guardrail-unavailable.ts';
export { makeLeakCheck } from './leak-check.ts';

const advice = 'configure a provider of language models (OPENAI_API_KEY, or POST /v1/admin/providers)';

/** Chooses the model that guardrails ask, and makes judges that ask it. */
export function makeGuardrails({ registry, default_model, timeout_ms }: GuardrailsOptions): Guardrails {
  async function candidates(scope: Scope): Promise<ResolvedModel[]> {
    const model = default_model();
    if (model === undefined) return registry.pick(scope, 'cost');
    return (await registry.resolve(scope, [model])).models;
  }

  /** The built-in model can't grade, so without a language model every guardrail that is on refuses. */
  async function modelFor(scope: Scope): Promise<ResolvedModel> {
    const found = (await candidates(scope)).find(({ info }) => info.kind === 'llm');
    if (found) return found;
    const missing =
      default_model() === undefined
        ? `Guardrails need a language model and there is none: ${advice}`
        : `The model that ATRIUM_GUARDRAIL_MODEL names is not configured: set it to one of GET /v1/models, or ${advice}`;
    throw new GuardrailUnavailable(missing, null, 'conflict');
  }

  return {
    modelFor,

    judge: (ask: Ask): Judge => makeJudge({ ask, timeout_ms }),

    async askFor(scope: Scope, anonymizer: Anonymizer): Promise<Ask> {
      const { info, addresses } = await modelFor(scope);
      return askModel({ model: info.model, addresses: addresses(anonymizer) });
    },
  };
}
