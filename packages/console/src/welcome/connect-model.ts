import { type Atrium, AtriumError } from '@atrium/sdk';
import { isEmbedder } from './steps.ts';
import type { ProviderInput } from './use-provider-test.ts';

/** Stores an account and returns its name. A name that is taken gets a number. */
async function storeProvider(client: Atrium, input: ProviderInput): Promise<string> {
  for (let count = 1; ; count++) {
    const name = `${input.name}${count === 1 ? '' : `-${count}`}`;
    try {
      return (await client.providers.create({ ...input, name })).name;
    } catch (error) {
      if (!(error instanceof AtriumError && error.status === 409 && count < 5)) throw error;
    }
  }
}

/** Stores an account, and takes its model for vectors where the organization has none. Returns the account's name. */
export async function connectModel(client: Atrium, input: ProviderInput, models: readonly string[]): Promise<string> {
  const name = await storeProvider(client, input);
  const embedder = models.find(isEmbedder);
  if (embedder) {
    const defaults = await client.defaults.get();
    const set = Object.entries(defaults).filter(([, { source }]) => source === 'api');
    if (defaults.embedding.source === 'none')
      await client.defaults.set({
        ...Object.fromEntries(set.map(([kind, { model }]) => [kind, model ?? undefined])),
        embedding: `${name}/${embedder}`,
      });
  }
  return name;
}
