import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Tagger } from '../drivers/taggers/driver.ts';
import { makeNeuralTagger } from '../drivers/taggers/neural.ts';
import { makePresidioTagger } from '../drivers/taggers/presidio.ts';
import { makeWordTagger } from '../drivers/taggers/words.ts';
import type { Conversations } from '../features/conversations/service.ts';
import type { Keyring } from '../features/keyring/keyring.ts';
import type { Registry } from '../features/models/registry.ts';
import { makeGuardrailCheck } from '../features/safety/guardrail-check.ts';
import { guardrailRoutes } from '../features/safety/guardrail-routes.ts';
import { makeGuardrails } from '../features/safety/guardrails/guardrails.ts';
import { makeFindPii } from '../features/safety/pii/find.ts';
import { makePrivacy } from '../features/safety/privacy/privacy.ts';
import { safetyRoutes } from '../features/safety/routes.ts';
import { makeSafetyChecks } from '../features/safety/service.ts';
import { makeViolations } from '../features/safety/violations.ts';

export type Safety = ReturnType<typeof makeSafety>;

export interface SafetyOptions {
  db: Database;
  config: Pick<Config, 'guardrail_model' | 'guardrail_timeout_ms' | 'tagger' | 'tagger_url'>;
  registry: Registry;
  keyring: Keyring;
}

/** Who finds names: a service of the operator's own, our model, or lists of words. */
function makeTagger({ tagger, tagger_url: url }: Pick<Config, 'tagger' | 'tagger_url'>): Tagger {
  if (url) return makePresidioTagger({ url });
  return tagger === 'words' ? makeWordTagger() : makeNeuralTagger();
}

/** What keeps watch over what goes in and comes out, and the doors to try it. */
export function makeSafety({ db, config, registry, keyring }: SafetyOptions) {
  const { guardrail_model: model, guardrail_timeout_ms: timeout_ms } = config;
  const guardrails = makeGuardrails({ registry, model, timeout_ms });
  const findPii = makeFindPii({ tagger: makeTagger(config) });
  const privacy = makePrivacy({ db, keyring, find: findPii });
  const routes = (conversations: Conversations) => [
    ...guardrailRoutes(makeGuardrailCheck(guardrails, privacy), makeViolations({ db, conversations })),
    ...safetyRoutes(makeSafetyChecks({ findPii })),
  ];
  return { guardrails, privacy, findPii, routes };
}
