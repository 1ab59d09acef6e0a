import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { makeEmbedding } from '../drivers/embeddings/ai-sdk.ts';
import { makePictureEmbedding } from '../drivers/embeddings/picture-embedding.ts';
import { makeImageModel } from '../drivers/images/ai-sdk.ts';
import { makeExtractive } from '../drivers/models/extractive/extractive-model.ts';
import { makeModel } from '../drivers/models/make-model.ts';
import type { ProviderDefinition } from '../drivers/providers/driver.ts';
import { listModels } from '../drivers/providers/list-models.ts';
import { makeAddressKind } from '../drivers/web/address-kind.ts';
import { allowPrivate, makeAllowList } from '../drivers/web/allow-list.ts';
import { makeKeepAliveFetch } from '../drivers/web/keep-alive-fetch.ts';
import { makeEmbedders } from '../features/embeddings/service.ts';
import { makeImageGenerators } from '../features/images/service.ts';
import type { Keyring } from '../features/keyring/service.ts';
import { estimateMessages, estimateTokens, mostInputTokens } from '../features/messages/service.ts';
import type { Meter, StreamMeter } from '../features/model-calls/ports.ts';
import { makeModelQuestions } from '../features/model-questions/service.ts';
import { makeCatalogue } from '../features/models/catalogue.ts';
import { modelRoutes } from '../features/models/handlers.ts';
import { makeModelDefaults, makeModelDefaultsAdmin } from '../features/models/model-defaults.ts';
import { makeOfferedModels } from '../features/models/offered-models.ts';
import { makePresets } from '../features/models/presets-service.ts';
import { makeProviderAccounts } from '../features/models/provider-accounts.ts';
import { providerRoutes } from '../features/models/provider-handlers.ts';
import { makeProviders } from '../features/models/providers-service.ts';
import { makeFindAccount, makeFindRankingService, makeModelLocator, makeRegistry } from '../features/models/service.ts';
import { readCallsOfProviders } from '../features/usage/provider-figure-store.ts';
import type { Log } from '../lib/log.ts';

export type Models = Awaited<ReturnType<typeof composeModels>>;

/** Which models there are, and how to reach them. */
export async function composeModels(options: {
  log: Log;
  /** The organization of this installation. */
  tenant_id: string;
  db: Database;
  notifier: Notifier;
  secrets: Keyring;
  config: Config;
  /** Every kind of provider. */
  providers: readonly ProviderDefinition[];
  meter: Meter;
  /** The ids of the workspaces of an organization. */
  workspacesOf(tenant_id: string): Promise<readonly string[]>;
}) {
  const { db, notifier, secrets, config, meter, providers: definitions } = options;
  const allow = makeAllowList([...config.provider_allow, ...config.web_allow]);
  const guarded = makeKeepAliveFetch({ allow });
  const anywhere = makeKeepAliveFetch({ allow: allowPrivate });
  const connections = { guarded, private: anywhere };
  const accounts = makeProviderAccounts({
    ...{ db, notifier, secrets, connections },
    providers: definitions,
    environment: config.providers,
  });
  const catalogue = makeCatalogue(definitions, config.models_file);
  const offers = makeOfferedModels({ catalogue, listModels });
  const findAccount = makeFindAccount({ providers: definitions, catalogue, offers });
  const locateModel = makeModelLocator({ accounts, catalogue, findAccount });
  const extractive = makeExtractive({ estimateTokens, estimateMessages });
  const guess: StreamMeter['guess'] = ({ system, messages, tools }, said) => ({
    input_tokens: estimateMessages(messages) + estimateTokens(system + JSON.stringify(tools)),
    output_tokens: estimateTokens(said),
  });
  const registry = makeRegistry({
    ...{ db, notifier, accounts, catalogue, offers, findAccount, makeModel, extractive, meter, guess },
    mostInput: mostInputTokens,
  });
  const presets = makePresets({ db, notifier, registry });
  const providers = makeProviders({
    ...{ db, notifier, accounts, secrets, listModels, connections, providers: definitions },
    addressKind: makeAddressKind(allow),
    callsOf: async (tenant_id) => readCallsOfProviders(db, await options.workspacesOf(tenant_id)),
  });
  const defaults = await makeModelDefaults({
    ...{ db, notifier, log: options.log, tenant_id: options.tenant_id },
    environment: {
      ...{ embedding: config.embedding_model, image: config.image_model },
      ...{ guardrail: config.guardrail_model, insights: config.insights_model },
      ranking: config.rerank_url && 'hosted',
    },
  });
  const defaultsAdmin = makeModelDefaultsAdmin({ db, notifier, defaults, registry, locateModel });
  const embedders = makeEmbedders({
    ...{ locateModel, makeEmbedding, makePictureEmbedding, meter },
    default_model: () => defaults.current('embedding'),
    guess: (texts) => texts.reduce((sum, text) => sum + estimateTokens(text), 0),
  });
  const imageGenerators = makeImageGenerators({
    ...{ locateModel, makeImageModel, meter },
    default_model: () => defaults.current('image'),
  });
  const questions = makeModelQuestions(registry);
  return {
    registry,
    defaults,
    embedders,
    imageGenerators,
    questions,
    meter,
    findRankingService: makeFindRankingService(locateModel),
    /** For what the operator has set up in the environment. */
    fetchAnywhere: anywhere.fetch,
    close: () => Promise.all([guarded.close(), anywhere.close()]),
    routes: [...modelRoutes(registry, presets, defaultsAdmin), ...providerRoutes(providers)],
  };
}
