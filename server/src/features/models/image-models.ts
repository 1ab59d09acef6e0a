import type { ImageModel, MadeImage } from '../../drivers/images/driver.ts';
import type { ProviderAddress } from '../../lib/provider-address.ts';
import { type Accounts, addressesOf, type Tenant } from './accounts.ts';
import type { Catalogue } from './catalogue.ts';
import { hiddenTexts } from './hidden-texts.ts';
import { accountOf } from './naming.ts';
import type { Offers } from './offers.ts';
import type { Veil } from './veil.ts';

/** An image model that can only be told what a veil lets through. */
export interface Painter {
  /** provider/model */
  name: string;
  paint(prompt: string, size: `${number}x${number}` | undefined, veil: Veil, signal: AbortSignal): Promise<MadeImage[]>;
}

export type Painters = ReturnType<typeof makePainters>;

export function makePainters(deps: {
  accounts: Accounts;
  catalogue: Catalogue;
  offers: Offers;
  makeImageModel(address: ProviderAddress, model: string): ImageModel;
  /** `ATRIUM_IMAGE_MODEL`. */
  model: string | undefined;
}) {
  const { accounts, catalogue, offers, makeImageModel, model } = deps;
  return {
    /** The model that is configured; or why there is none. */
    async resolve(tenant: Tenant): Promise<Painter | { reason: string }> {
      if (model === undefined)
        return { reason: 'No image model is configured: the operator sets ATRIUM_IMAGE_MODEL (provider/name)' };
      const found = await accountOf(model, await accounts.all(tenant), catalogue, offers);
      if ('reason' in found) return found;
      return {
        name: `${found.account.name}/${found.model}`,
        async paint(prompt, size, veil, signal) {
          const [outgoing = ''] = await hiddenTexts([prompt], veil);
          let failure: unknown;
          for (const address of addressesOf(found.account)) {
            signal.throwIfAborted();
            try {
              return await makeImageModel(address, found.model).make(outgoing, size, signal);
            } catch (error) {
              failure = error;
            }
          }
          throw failure;
        },
      };
    },
  };
}
