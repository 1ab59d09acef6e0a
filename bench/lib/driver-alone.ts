import { type ModelRequest, plainRequest } from '../../packages/server/src/drivers/models/driver.ts';
import { makeModel } from '../../packages/server/src/drivers/models/make-model.ts';
import { anthropic } from '../../packages/server/src/drivers/providers/anthropic.ts';
import { openai } from '../../packages/server/src/drivers/providers/openai.ts';
import { allowPrivate } from '../../packages/server/src/drivers/web/allow-list.ts';
import { makeKeepAliveFetch } from '../../packages/server/src/drivers/web/keep-alive-fetch.ts';
import { packageModel } from '../../packages/server/test/providers/package-models.ts';
import { median } from './figure.ts';

/*
 * What a driver of models costs by itself, in a process that does nothing else: the floor for the server. Prints the
 * processor time of a token and the time to the first one.
 */

const url = process.env['PROVIDER_URL'] ?? '';
const replies = Number(process.env['PROVIDER_REPLIES'] ?? 1000);
const words = Number(process.env['PROVIDER_WORDS'] ?? 100);
const at_once = 16;

const { fetch, post } = makeKeepAliveFetch({ allow: allowPrivate });
const provider = process.env['PROVIDER_PROTOCOL'] === 'messages' ? anthropic : openai;
const address = { provider, base_url: url, api_key: 'k', fetch, post };
const model = process.env['PROVIDER_DRIVER'] === 'package' ? packageModel(address, 'fast') : makeModel(address, 'fast');
const settings: Omit<ModelRequest, 'messages'> = {
  ...plainRequest,
  model: 'fast',
  system: 'You are a helpful assistant.',
  parallel_tool_calls: true,
  max_tokens: 4000,
  temperature: 0.5,
};

/** How long the first word takes; the rest is read too. */
async function ask(text = `[${words} words]`): Promise<number> {
  const request: ModelRequest = { ...settings, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] };
  const begun = performance.now();
  let first = 0;
  for await (const part of model.stream(request, new AbortController().signal))
    if (part.type === 'text') first ||= performance.now() - begun;
  return first;
}

async function many(count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await ask();
  };
  await Promise.all(Array.from({ length: at_once }, worker));
}

await many(Math.min(300, replies));
const before = process.cpuUsage();
await many(replies);
const { user, system } = process.cpuUsage(before);
const first: number[] = [];
for (let turn = 0; turn < 200; turn++) first.push(await ask(`[${words} words paused]`));
process.stdout.write(
  `${JSON.stringify({ cpu_us: (user + system) / (replies * words), first_ms: median(first.slice(50)) })}\n`,
);
