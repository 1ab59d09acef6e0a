import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { allProviders } from '../../drivers/providers/all-providers.ts';
import { openai as openaiProvider } from '../../drivers/providers/openai.ts';
import { openaiCompatible } from '../../drivers/providers/openai-compatible.ts';
import { makeCatalogue, unknownModel } from './catalogue.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-catalogue-'));
after(() => rmSync(dir, { recursive: true }));

function fileOf(content: unknown): string {
  const path = join(dir, 'models.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const openai = { name: 'openai', definition: openaiProvider };

test('the built-in catalogue is sound: known providers, each model once, sensible figures', () => {
  const catalogue = makeCatalogue(allProviders);
  const all = allProviders.flatMap(({ name }) => catalogue.of(name));
  assert.ok(all.length > 40);
  assert.equal(new Set(all.map(({ provider, model }) => `${provider}/${model}`)).size, all.length);
  for (const { model, price, context_window, max_output_tokens } of all) {
    assert.ok(max_output_tokens !== null && max_output_tokens <= context_window, model);
    if (price) assert.ok(price.cached_input <= price.input, model);
  }
});

test('an unknown model has safe figures and no price', () => {
  const facts = makeCatalogue(allProviders).facts(openai, 'never-heard-of');
  assert.deepEqual(facts, unknownModel);
  assert.deepEqual([facts.context_window, facts.price], [128_000, null]);
});

test('a dated name and a gateway’s name are the model they name; on other machines its price is not known', () => {
  const catalogue = makeCatalogue(allProviders);
  const known = catalogue.facts(openai, 'gpt-4o');
  assert.deepEqual(catalogue.facts(openai, 'gpt-4o-2024-08-06'), known);
  const gateway = { name: 'gateway', definition: openaiCompatible };
  assert.deepEqual(catalogue.facts(gateway, 'openai/gpt-4o'), { ...known, price: null });
  assert.equal(catalogue.providerOf('claude-of-next-year'), 'anthropic');
  assert.equal(catalogue.providerOf('o7'), 'openai');
  assert.equal(catalogue.providerOf('llama3.3'), undefined);
});

test('an operator’s file adds models and changes single figures', () => {
  const catalogue = makeCatalogue(
    allProviders,
    fileOf([
      { provider: 'openai', model: 'gpt-4o', quality: 9 },
      { provider: 'ollama', model: 'llama3.3', vision: true, price: { input: 0, cached_input: 0, output: 0 } },
    ]),
  );
  assert.deepEqual(catalogue.facts(openai, 'gpt-4o'), {
    ...makeCatalogue(allProviders).facts(openai, 'gpt-4o'),
    quality: 9,
  });
  assert.deepEqual(catalogue.facts({ name: 'ollama', definition: openaiCompatible }, 'llama3.3'), {
    ...unknownModel,
    vision: true,
    price: { input: 0, cached_input: 0, output: 0 },
  });
});

test('a file that can’t be used stops the start and says why', () => {
  assert.throws(
    () => makeCatalogue(allProviders, fileOf([{ provider: 'x', model: 'y', speed: 'fast' }])),
    /ATRIUM_MODELS_FILE.*speed/s,
  );
  assert.throws(() => makeCatalogue(allProviders, fileOf('{')), /ATRIUM_MODELS_FILE/);
  assert.throws(() => makeCatalogue(allProviders, join(dir, 'missing.json')), /missing\.json/);
});
