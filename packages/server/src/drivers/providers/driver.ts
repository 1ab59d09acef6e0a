import type { EmbeddingModelV4, ImageModelV4, LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import type { z } from 'zod';
import type { Values } from '../../lib/environment-fields.ts';
import type { Protocol } from '../models/direct/protocol.ts';
import type { ProviderTraits } from '../models/request/call-options.ts';
import type { KeptConnections } from '../web/driver.ts';

/**
 * One address of a provider, with the keys and settings to call it. Its `fetch` and `post` check where a connection leads
 * before anything is sent; providers are called through nothing else.
 */
export interface ProviderAddress extends KeptConnections {
  provider: ProviderDefinition;
  /** null: the provider's own. */
  base_url: string | null;
  api_key: string | null;
  /** Azure: a dated version selects the older API for deployments. */
  api_version?: string | null;
  /** Bedrock. */
  region?: string | null;
  access_key_id?: string | null;
  secret_access_key?: string | null;
  /** Forces OpenAI's Responses API at an address that is not OpenAI's own. */
  api?: 'responses';
}

/** A provider as an operator or administrator configures it: the same keys at each of its addresses. */
export interface ProviderConfig
  extends Required<Omit<ProviderAddress, 'provider' | 'base_url' | 'api' | 'fetch' | 'post'>> {
  /** Stands before the slash in the names of its models. */
  name: string;
  provider: ProviderKind;
  /** Empty: the provider's own address. */
  base_urls: string[];
  /** The models to offer; empty: those that are known of it. */
  models: string[];
}

/** A field that an account lacks, and the error message about it. */
export interface MissingField {
  field: 'base_urls' | 'region' | 'api_key';
  reason: string;
}

/**
 * One kind of model provider: everything the program knows about it. `defineProvider` makes one, `all-providers.ts` lists
 * them. The provider packages are loaded by the first call, and read no environment variables: all they need is passed.
 */
export interface ProviderDefinition<Variables extends z.ZodRawShape = z.ZodRawShape> {
  /** Its kind in the API, and the name of the account that the environment configures. */
  name: ProviderKind;
  environment: {
    /** The environment variables that configure an account, with their descriptions. */
    variables: Variables;
    /** The variables to set, as the message that the provider is not configured names them. */
    hint: string;
    /** The account that these values configure; undefined when they are not enough. */
    account(values: Partial<Values<Variables>>): AccountValues | undefined;
  };
  addresses: {
    /** The provider's own address; undefined when every account has another one. */
    default?: string;
    /** No address is the provider's own: any server that speaks the protocol, with models and prices of its own. */
    any_server?: true;
    /** Its addresses are not asked for a list of models. */
    unlisted?: true;
    /** The header that carries the key when the list of models is fetched; a bearer token by default. */
    headers?(api_key: string): Record<string, string>;
    /** The first field that an account lacks; by default a key is needed at the provider's own address. */
    missing?(account: Pick<ProviderConfig, AccountField>): MissingField | undefined;
  };
  names: {
    /** Names without a prefix that are known to belong to this provider. */
    family?: RegExp;
    /** Its accounts are tried with names that no provider is known to have. */
    takes_unknown?: true;
  };
  /** The protocol of its language models, where a driver of our own speaks it. */
  protocol?(address: ProviderAddress): Protocol | undefined;
  /** Loads the provider package, for addresses without such a protocol. */
  language?(address: ProviderAddress, model: string): Promise<LanguageModelV4>;
  /** Absent: the provider has no embedding models. */
  embedding?(address: ProviderAddress, model: string): Promise<EmbeddingModelV4>;
  /** Whether a server of this kind may take pictures as input of `/embeddings`. */
  embeds_pictures?: true;
  /** Absent: its image models are not supported. */
  images?(address: ProviderAddress, model: string): Promise<ImageModelV4>;
  /** How requests to its language models differ from the common call options. */
  traits(address: ProviderAddress, model: string): ProviderTraits;
}

/** The fields of an account that the environment sets. */
type AccountValues = { [Field in keyof Omit<ProviderConfig, 'name' | 'provider'>]?: ProviderConfig[Field] | undefined };

type AccountField = 'base_urls' | 'region' | 'api_key' | 'access_key_id' | 'secret_access_key';

/** Whether an address is the provider's own, where its whole range of models is. */
export function isDefaultAddress({ addresses }: ProviderDefinition, base_url: string | null): boolean {
  if (addresses.any_server) return false;
  if (base_url === null) return true;
  const { default: own } = addresses;
  return own !== undefined && URL.canParse(base_url) && new URL(base_url).host === new URL(own).host;
}

/** The first field that an account of this provider lacks. */
export function findMissingField(
  provider: ProviderDefinition,
  account: Pick<ProviderConfig, AccountField>,
): MissingField | undefined {
  if (provider.addresses.missing) return provider.addresses.missing(account);
  const { api_key, base_urls } = account;
  const at_home = base_urls.length === 0 || base_urls.some((url) => isDefaultAddress(provider, url));
  return !api_key && at_home ? { field: 'api_key', reason: `${provider.name} needs an api_key` } : undefined;
}
