import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Tagger } from '../drivers/taggers/driver.ts';
import { makeNeuralTagger } from '../drivers/taggers/neural.ts';
import { makePresidioTagger } from '../drivers/taggers/presidio.ts';
import { makeWordTagger } from '../drivers/taggers/words.ts';
import { agentNames } from '../features/agents/service.ts';
import { makeAnonymization } from '../features/anonymization/service.ts';
import type { Conversations } from '../features/conversations/service.ts';
import { makeGuardrailCheck } from '../features/guardrails/guardrail-check.ts';
import { guardrailRoutes } from '../features/guardrails/handlers.ts';
import { makeGuardrails } from '../features/guardrails/service.ts';
import { makeViolations } from '../features/guardrails/violations.ts';
import type { Keyring } from '../features/keyring/service.ts';
import { knowledgeBaseNames } from '../features/knowledge-bases/service.ts';
import type { ModelDefaults } from '../features/models/model-defaults.ts';
import type { Registry } from '../features/models/service.ts';
import { makePiiCheck } from '../features/pii/check-pii.ts';
import { safetyRoutes } from '../features/pii/handlers.ts';
import { makeFindPii } from '../features/pii/service.ts';
import { tableNames } from '../features/tables/service.ts';
import { workflowNames } from '../features/workflows/service.ts';

export type Safety = ReturnType<typeof composeSafety>;

export interface SafetyOptions {
  db: Database;
  defaults: Pick<ModelDefaults, 'current'>;
  config: Pick<Config, 'guardrail_timeout_ms' | 'tagger' | 'tagger_url'>;
  registry: Registry;
  keyring: Keyring;
  /** The words that are never taken for personal data in a workspace. */
  piiAllow(workspace_id: string): Promise<readonly string[]>;
}

/** The tagger that finds names: a service of the operator, our model, or word lists. */
function makeTagger({ tagger, tagger_url: url }: Pick<Config, 'tagger' | 'tagger_url'>): Tagger {
  if (url) return makePresidioTagger({ url });
  return tagger === 'words' ? makeWordTagger() : makeNeuralTagger();
}

/** Composes guardrails, anonymization and the operations that try them out. */
export function composeSafety({ db, defaults, config, registry, keyring, piiAllow }: SafetyOptions) {
  const { guardrail_timeout_ms: timeout_ms } = config;
  const guardrails = makeGuardrails({ registry, default_model: () => defaults.current('guardrail'), timeout_ms });
  const findPii = makeFindPii({ tagger: makeTagger(config) });
  const names = async (workspace_id: string) => {
    const lists = [agentNames, tableNames, knowledgeBaseNames, workflowNames];
    return (await Promise.all(lists.map((listNames) => listNames(db, workspace_id)))).flat();
  };
  const words = { allow: piiAllow, names };
  const privacy = makeAnonymization({ db, keyring, find: findPii, words });
  const routes = (conversations: Conversations) => [
    ...guardrailRoutes(makeGuardrailCheck(guardrails, privacy), makeViolations({ db, conversations })),
    ...safetyRoutes(makePiiCheck({ findPii })),
  ];
  return { guardrails, privacy, findPii, routes };
}
