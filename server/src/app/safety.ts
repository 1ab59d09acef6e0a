import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Conversations } from '../features/conversations/service.ts';
import type { Keyring } from '../features/keyring/keyring.ts';
import type { Registry } from '../features/models/registry.ts';
import { makeGuardrailCheck } from '../features/safety/guardrail-check.ts';
import { guardrailRoutes } from '../features/safety/guardrail-routes.ts';
import { makeGuardrails } from '../features/safety/guardrails/guardrails.ts';
import { makePrivacy } from '../features/safety/privacy/privacy.ts';
import { makeViolations } from '../features/safety/violations.ts';

export type Safety = ReturnType<typeof makeSafety>;

export interface SafetyOptions {
  db: Database;
  config: Pick<Config, 'guardrail_model' | 'guardrail_timeout_ms'>;
  registry: Registry;
  keyring: Keyring;
}

/** What keeps watch over what goes in and comes out, and the doors to try it. */
export function makeSafety({ db, config, registry, keyring }: SafetyOptions) {
  const { guardrail_model: model, guardrail_timeout_ms: timeout_ms } = config;
  const guardrails = makeGuardrails({ registry, model, timeout_ms });
  const privacy = makePrivacy({ db, keyring, find: async () => [] });
  const routes = (conversations: Conversations) =>
    guardrailRoutes(makeGuardrailCheck(guardrails, privacy), makeViolations({ db, conversations }));
  return { guardrails, privacy, routes };
}
