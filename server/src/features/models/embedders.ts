import type { Embedding } from '../../drivers/embeddings/driver.ts';
import type { ProviderAddress } from '../../lib/provider-address.ts';
import { type Accounts, addressesOf, type Tenant } from './accounts.ts';
import type { Catalogue } from './catalogue.ts';
import { hiddenTexts } from './hidden-texts.ts';
import { accountOf } from './naming.ts';
import type { Offers } from './offers.ts';
import type { Veil } from './veil.ts';

/** An embedding model that can only be told what a veil lets through. */
export interface Embedder {
  /** provider/model */
  name: string;
  embed(texts: readonly string[], veil: Veil, signal: AbortSignal): Promise<Float32Array[]>;
}

export interface Embedders {
  /** The names in force: those asked for, else the default one; empty when there is none. */
  inForce(names: readonly string[]): readonly string[];
  /** The first of them that is configured; or why there is none. */
  resolve(tenant: Tenant, names: readonly string[]): Promise<Embedder | { reason: string }>;
}

export interface EmbedderDeps {
  accounts: Accounts;
  catalogue: Catalogue;
  offers: Offers;
  makeEmbedding(address: ProviderAddress, model: string): Embedding;
  /** `ATRIUM_EMBEDDING_MODEL`. */
  default_model: string | undefined;
}

export function makeEmbedders({ accounts, catalogue, offers, makeEmbedding, default_model }: EmbedderDeps): Embedders {
  const inForce = (names: readonly string[]) => {
    const asked = names.filter((name) => name !== 'atrium/none');
    return asked.length ? asked : default_model === undefined ? [] : [default_model];
  };
  return {
    inForce,
    async resolve(tenant, names) {
      const all = await accounts.all(tenant);
      let reason = 'No embedding model is configured: set ATRIUM_EMBEDDING_MODEL, or embedding_model of the base';
      for (const name of inForce(names)) {
        const found = await accountOf(name, all, catalogue, offers);
        if ('reason' in found) {
          reason = found.reason;
          continue;
        }
        const models = addressesOf(found.account).map((address) => makeEmbedding(address, found.model));
        return {
          name: `${found.account.name}/${found.model}`,
          async embed(texts, veil, signal) {
            const outgoing = await hiddenTexts(texts, veil);
            let failure: unknown;
            for (const model of models) {
              signal.throwIfAborted();
              try {
                return await model.embed(outgoing, signal);
              } catch (error) {
                failure = error;
              }
            }
            throw failure;
          },
        };
      }
      return { reason };
    },
  };
}
