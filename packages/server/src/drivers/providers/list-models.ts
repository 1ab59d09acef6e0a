import { z } from 'zod';
import { ModelError } from '../models/driver.ts';
import { asModelError, redactProviderMessage } from '../models/model-errors.ts';
import type { ProviderAddress } from './driver.ts';

const timeout_ms = 5000;

const bearerToken = (api_key: string) => ({ authorization: `Bearer ${api_key}` });

const modelLists = z.object({ data: z.array(z.unknown()) }).or(z.object({ models: z.array(z.unknown()) }));
const modelEntry = z.object({ id: z.string().optional(), name: z.string().optional() });

/** Reads names from `{data: [{id}]}` or `{models: [{name}]}`; undefined for any other answer. */
function namesIn(answer: unknown): string[] | undefined {
  const { data } = modelLists.safeParse(answer);
  const list = data && ('data' in data ? data.data : data.models);
  return list?.flatMap((item) => {
    const entry = modelEntry.safeParse(item).data;
    const name = entry?.id ?? entry?.name;
    return name === undefined ? [] : name.replace(/^models\//, '');
  });
}

/** Fetches the names of the models at an address. Throws a ModelError when they can't be fetched. */
export async function listModels(address: ProviderAddress, signal?: AbortSignal): Promise<string[]> {
  const { provider, api_key } = address;
  const secrets = [api_key ?? ''];
  const base = address.base_url ?? provider.addresses.default;
  if (base === undefined) throw new ModelError('This provider has no list of its models', { status: 404 });
  const timeout = AbortSignal.timeout(timeout_ms);
  try {
    const response = await address.fetch(`${base.replace(/\/+$/, '')}/models`, {
      headers: { accept: 'application/json', ...(api_key && (provider.addresses.headers ?? bearerToken)(api_key)) },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (!response.ok)
      throw new ModelError(
        redactProviderMessage(`The provider answered ${response.status}: ${text || response.statusText}`, secrets),
        {
          status: response.status,
        },
      );
    const names = namesIn(JSON.parse(text));
    if (!names) throw new ModelError('The provider sent an answer that could not be read');
    return names;
  } catch (error) {
    if (timeout.aborted) throw new ModelError(`No answer within ${timeout_ms / 1000} s`);
    if (error instanceof SyntaxError) throw new ModelError('The provider sent an answer that could not be read');
    throw asModelError(error, secrets);
  }
}
