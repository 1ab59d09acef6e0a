import type { Config } from '../config.ts';
import type { Bell } from '../db/bell.ts';
import type { Database } from '../db/database.ts';
import { makeExtractive } from '../drivers/models/extractive.ts';
import { listModels } from '../drivers/models/list-models.ts';
import { makeModel } from '../drivers/models/providers.ts';
import type { Keyring } from '../features/keyring/keyring.ts';
import { makeAccounts } from '../features/models/accounts.ts';
import { makeCatalogue } from '../features/models/catalogue.ts';
import { makeOffers } from '../features/models/offers.ts';
import { makePresets } from '../features/models/presets-service.ts';
import { providerRoutes } from '../features/models/provider-routes.ts';
import { makeProviders } from '../features/models/providers-service.ts';
import { makeRegistry } from '../features/models/registry.ts';
import { modelRoutes } from '../features/models/routes.ts';
import { estimateMessages, estimateTokens } from '../features/runs/tokens.ts';

/** Which models there are, and how to reach them. */
export function makeModels(options: { db: Database; bell: Bell; secrets: Keyring; config: Config }) {
  const { db, bell, secrets, config } = options;
  const accounts = makeAccounts({ db, bell, secrets, environment: config.providers });
  const catalogue = makeCatalogue(config.models_file);
  const offers = makeOffers({ catalogue, listModels });
  const extractive = makeExtractive({ estimateTokens, estimateMessages });
  const registry = makeRegistry({ db, bell, accounts, catalogue, offers, makeModel, extractive });
  const presets = makePresets({ db, bell, registry });
  const providers = makeProviders({ db, bell, accounts, secrets, listModels });
  return { registry, routes: [...modelRoutes(registry, presets), ...providerRoutes(providers)] };
}
