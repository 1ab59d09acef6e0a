import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import type { ProviderAddress } from '../../drivers/providers/driver.ts';
import type { Scope } from '../../lib/scope.ts';

/** Providers and presets belong to a tenant, not to a workspace. */
export type Tenant = Pick<Scope, 'tenant_id'>;

/** A model and the addresses to call it at, in the order to try them. */
export interface LocatedModel {
  /** provider/model */
  name: string;
  /** The provider's own name of the model. */
  model: string;
  price: ModelInfo['price'];
  addresses: readonly ProviderAddress[];
}

/** Finds where a model is, by its name in settings; or the reason why no configured provider has it. */
export type ModelLocator = (tenant: Tenant, name: string) => Promise<LocatedModel | { reason: string }>;

/** A reranking model at a server that speaks the common `/rerank` protocol. */
export interface RankingAddress {
  url: string;
  api_key: string | null;
  fetch: typeof fetch;
  model: string;
}

/** Finds a reranking model by its name; undefined when no provider with an address of its own has it. */
export type FindRankingService = (tenant: Tenant, name: string) => Promise<RankingAddress | undefined>;
