import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ProviderDefinition } from '../../drivers/providers/driver.ts';
import { asError } from '../../lib/as-error.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';

const price = z.strictObject({
  input: z.number().nonnegative(),
  cached_input: z.number().nonnegative(),
  output: z.number().nonnegative(),
});

/** The facts about a model, without its name. */
const facts = z.strictObject({
  context_window: z.int().positive(),
  /** Null: not known, so requests are not capped. */
  max_output_tokens: z.int().positive().nullable(),
  vision: z.boolean(),
  tools: z.boolean(),
  /** Null: not known, so reasoning is asked for until the server refuses it. */
  reasoning: z.boolean().nullable(),
  prompt_caching: z.boolean(),
  /** US dollars for a million tokens. */
  price: price.nullable(),
  quality: z.number().min(1).max(10),
  speed: z.number().min(1).max(10),
});
export type ModelFacts = z.output<typeof facts>;

const named = { provider: z.string().min(1), model: z.string().min(1) };
const entry = facts.extend(named);
/** An operator gives only the facts that differ or are known. */
const ownEntry = facts.partial().extend(named);
type CatalogueEntry = z.output<typeof entry>;

/** Safe assumptions about a model that is not in the catalogue. */
export const unknownModel: ModelFacts = {
  context_window: 128_000,
  max_output_tokens: null,
  vision: false,
  tools: true,
  reasoning: null,
  prompt_caching: false,
  price: null,
  quality: 5,
  speed: 5,
};

interface PricedAccount {
  name: string;
  definition: ProviderDefinition;
  /** What its administrator says that models cost: one, or with `null` all others. */
  prices?: readonly { model: string | null; input: number; output: number; cached_input: number | null }[];
}

export interface Catalogue {
  /** The models of a provider, by its kind or by the name an operator gave it. */
  of(provider: string): CatalogueEntry[];
  facts(account: PricedAccount, model: string): ModelFacts;
  /** The provider that a bare model name belongs to, if it is known. */
  providerOf(model: string): string | undefined;
}

const read = (path: string | URL): unknown => JSON.parse(readFileSync(path, 'utf8'));

function ownEntries(path: string | undefined): z.output<typeof ownEntry>[] {
  if (path === undefined) return [];
  try {
    return z.array(ownEntry).parse(read(path));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : asError(error).message;
    throw new Error(`ATRIUM_MODELS_FILE (${path}) can't be used: ${why}`);
  }
}

/** Gateways write the maker before the name, and makers a date behind it: both are the same model. */
const plain = (model: string) => required(model.split('/').at(-1)).replace(/[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');

/** The facts about models: the built-in list, and the operator's file over it. */
export function makeCatalogue(providers: readonly ProviderDefinition[], models_file?: string): Catalogue {
  const entries = new Map<string, CatalogueEntry>();
  for (const built of z.array(entry).parse(read(new URL('catalogue.json', import.meta.url))))
    entries.set(`${built.provider}/${built.model}`, built);
  for (const own of ownEntries(models_file)) {
    const key = `${own.provider}/${own.model}`;
    const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    entries.set(key, { ...unknownModel, ...entries.get(key), ...given } as CatalogueEntry);
  }
  const all = [...entries.values()];
  const byPlainName = new Map(all.toReversed().map((candidate) => [plain(candidate.model), candidate]));
  const like = (model: string) => byPlainName.get(plain(model));

  return {
    of: (provider) => all.filter((candidate) => candidate.provider === provider),
    facts({ name, definition, prices = [] }, model) {
      const exact = entries.get(`${name}/${model}`) ?? entries.get(`${definition.name}/${model}`);
      const entry = exact ?? like(model);
      const known = entry ? omit(entry, ['provider', 'model']) : unknownModel;
      // The same model has another price, or none, on a server of one's own.
      const own = prices.find((one) => one.model === model) ?? prices.find((one) => one.model === null);
      if (own) {
        const { input, output, cached_input } = own;
        return { ...known, price: { input, output, cached_input: cached_input ?? input } };
      }
      return exact || !definition.addresses.any_server ? known : { ...known, price: null };
    },
    providerOf: (model) =>
      all.find((candidate) => candidate.model === model)?.provider ??
      providers.find(({ names }) => names.family?.test(model))?.name,
  };
}
