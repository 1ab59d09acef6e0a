import type { ImageModel, MadeImage } from '../../drivers/images/driver.ts';
import type { ProviderAddress } from '../../lib/provider-address.ts';
import { type Accounts, addressesOf } from './accounts.ts';
import type { Catalogue } from './catalogue.ts';
import { hiddenTexts } from './hidden-texts.ts';
import { type Asker, type Meter, toldOf } from './meter.ts';
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
  /** Told of every call that is made. */
  meter: Meter;
}) {
  const { accounts, catalogue, offers, makeImageModel, model, meter } = deps;
  return {
    /** The model that is configured; or why there is none. */
    async resolve(asker: Asker): Promise<Painter | { reason: string }> {
      if (model === undefined)
        return { reason: 'No image model is configured: the operator sets ATRIUM_IMAGE_MODEL (provider/name)' };
      const found = await accountOf(model, await accounts.all(asker), catalogue, offers);
      if ('reason' in found) return found;
      const name = `${found.account.name}/${found.model}`;
      return {
        name,
        async paint(prompt, size, veil, signal) {
          const [outgoing = ''] = await hiddenTexts([prompt], veil);
          // Pictures are paid for by the piece: what one costs is not known here.
          const call = { asker, place: veil.place, purpose: 'image' as const, model: name, price: null };
          const used = () => ({ tokens: 0, estimated: true });
          let failure: unknown;
          for (const address of addressesOf(found.account)) {
            signal.throwIfAborted();
            try {
              const painting = makeImageModel(address, found.model);
              return await toldOf(meter, call, () => painting.make(outgoing, size, signal), used);
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
