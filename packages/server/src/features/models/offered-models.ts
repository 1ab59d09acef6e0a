import { keysOf } from '@atrium/contract/keys-of.ts';
import { isDefaultAddress, type ProviderAddress } from '../../drivers/providers/driver.ts';
import type { Catalogue } from './catalogue.ts';
import { addressesOf, type ProviderAccount } from './provider-accounts.ts';

const notForTalking = /embed|rerank|whisper|\btts\b|dall-e|moderation|transcribe|-image|realtime|audio|guard/i;
/** The first that fits decides. */
const signs = { ranking: /rerank/i, embedding: /embed/i, image: /dall-e|-image|imagen|flux|stable-diffusion/i };
export type OtherKind = keyof typeof signs;
export const otherKinds = keysOf(signs);
const kindOf = (model: string) => otherKinds.find((kind) => signs[kind].test(model));

const fresh_ms = 60_000;
/** A server that is down is asked again soon, but not in every run. */
const failed_ms = 10_000;

interface Known {
  until: number;
  failed: boolean;
  models: Promise<string[]>;
}

export interface OfferedModels {
  /** The names of the language models that an account is known to have. */
  of(account: ProviderAccount): Promise<string[]>;
  /** Those of other kinds, by what their names say. */
  ofKind(account: ProviderAccount, kind: OtherKind): Promise<string[]>;
  isAtHome(account: ProviderAccount): boolean;
  /** Whether the server of the account did not answer when it was last asked for its models. */
  hasFailed(account: ProviderAccount): boolean;
}

/**
 * The models of an account: those that its administrator lists; else at a provider's own address those of the catalogue,
 * and at any other address those that the server there lists.
 */
export function makeOfferedModels(deps: {
  catalogue: Catalogue;
  listModels(address: ProviderAddress): Promise<string[]>;
}): OfferedModels {
  /** By fetch: the list of a private address must not be shown to an account that may not reach it. */
  const known = new Map<ProviderAddress['fetch'], Map<string, Known>>();

  const keyOf = ({ provider, base_url, api_key }: ProviderAddress) => `${provider.name} ${base_url} ${api_key}`;

  function ask(address: ProviderAddress): Promise<string[]> {
    const ofFetch = known.get(address.fetch) ?? new Map<string, Known>();
    known.set(address.fetch, ofFetch);
    const key = keyOf(address);
    const cached = ofFetch.get(key);
    if (cached && cached.until > Date.now()) return cached.models;
    const entry = { until: Date.now() + fresh_ms, failed: false, models: Promise.resolve<string[]>([]) };
    entry.models = deps.listModels(address).then(
      (models) => models,
      () => {
        entry.until = Date.now() + failed_ms;
        entry.failed = true;
        return [];
      },
    );
    ofFetch.set(key, entry);
    return entry.models;
  }

  const isAtHome = (account: ProviderAccount) =>
    addressesOf(account).every(({ base_url }) => isDefaultAddress(account.definition, base_url));

  return {
    isAtHome,
    hasFailed(account) {
      const [first] = addressesOf(account);
      return first !== undefined && known.get(first.fetch)?.get(keyOf(first))?.failed === true;
    },
    async of(account) {
      if (account.models.length) return account.models;
      const listed = [account.name, account.provider]
        .flatMap((name) => deps.catalogue.of(name))
        .map(({ model }) => model);
      const unique = [...new Set(listed)];
      if (isAtHome(account) || account.definition.addresses.unlisted) return unique;
      const [first] = addressesOf(account);
      const served = (first ? await ask(first) : []).filter((model) => !notForTalking.test(model));
      return served.length ? served : unique;
    },
    async ofKind(account, kind) {
      const [first] = addressesOf(account);
      const isListed = account.models.length > 0 || account.definition.addresses.unlisted;
      const names = isListed ? account.models : first ? await ask(first) : [];
      return names.filter((model) => kindOf(model) === kind);
    },
  };
}
