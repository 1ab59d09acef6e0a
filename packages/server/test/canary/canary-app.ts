import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool, ToolError } from '../../src/features/tools/service.ts';
import { startFakeVault } from '../../src/features/vault/testing.ts';
import { scriptedApp } from '../support/scripted-app.ts';
import { until } from '../support/two-nodes.ts';

/** Creates a marked secret that the test still recognises when it is encoded. */
const mark = () => `c4n4ry${randomBytes(18).toString('hex')}`;

/** Returns the encodings of a mark to search for: plain, hex, and base64 at each of the three byte offsets. */
export function formsOf(core: string): string[] {
  const digits = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), Buffer.from(core)])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, -4),
  );
  return [core, Buffer.from(core).toString('hex'), ...digits];
}

/** Where a secret may be in plain: it keeps what it is sent, and says it back like a careless server does. */
async function echoingTarget() {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    const all = JSON.stringify({ headers: request.headers, body: await text(request) });
    got.push(all);
    response.writeHead(200, { 'content-type': 'application/json' }).end(all);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Starts the app with marked secrets of every kind. The test searches every response that `call` returns for them. */
export async function makeCanaryApp() {
  const marks = {
    ...{ inline: mark(), environment: mark(), vault: mark(), object: mark() },
    ...{ provider: mark(), vault_token: mark(), secret_id: mark() },
  };
  const target = await echoingTarget();
  const vault = await startFakeVault();
  vault.addToken(marks.vault_token);
  vault.addRole('canary', marks.secret_id);
  vault.put('secret/canary', { key: marks.vault });

  /** Sends the values behind secret handles to the target, then refuses, fails or hangs as `after` says. */
  const send = defineTool({
    ...{ tool: 'canary_send', description: 'Sends', repeatable: false, output: z.unknown() },
    reveals: { address: target.url, setting: 'actions' },
    input: z.object({ body: z.unknown(), after: z.string().optional() }),
    async run(scope, { body, after: next }, signal, reveal) {
      const headers = await reveal(
        { authorization: 'Basic {{secret.ENVIRONMENT}}', 'x-vault': '{{secret.VAULT}}' },
        { address: target.url },
      );
      const said = await (
        await fetch(target.url, { method: 'POST', headers, body: JSON.stringify(body), signal })
      ).text();
      scope.log.info('The target answered', { said });
      if (next === 'refuse') throw new ToolError(`refused: ${said}`);
      if (next === 'break') throw new Error(`broken: ${said}`, { cause: new Error(said) });
      if (next === 'hang') await sleep(60_000, undefined, { signal });
      return { said, [said]: Buffer.from(said).toString('base64') };
    },
  });

  const data_dir = mkdtempSync(join(tmpdir(), 'atrium-canary-files-'));
  after(() => rmSync(data_dir, { recursive: true, force: true }));
  const app = await scriptedApp(
    {
      data_dir,
      encrypt_at_rest: true,
      web_allow: ['127.0.0.1'],
      variable_values: { ATRIUM_VAR_CANARY: marks.environment },
      // Mails are written down and, without a worker, not sent.
      mail: {
        server: { host: '127.0.0.1', port: 9, tls: 'none', username: 'canary', password: marks.provider },
        from: { name: 'Atrium', address: 'no-reply@atrium.example' },
        public_url: 'https://atrium.example',
      },
    },
    { tools: [send] },
  );
  const { server: provider, name } = await app.provider();
  const seen: string[] = [];
  const call: typeof app.call = async (...request) => {
    const answer = await app.call(...request);
    seen.push(answer.text, JSON.stringify(answer.headers));
    return answer;
  };
  const good: typeof call = async (...request) => {
    const answer = await call(...request);
    assert.equal(answer.status, 200, `${request[0]} ${request[1]}: ${answer.text}`);
    return answer;
  };

  const credential = await good('POST', '/v1/vault-credentials', {
    ...{ name: 'canary', address: vault.address, token: marks.vault_token },
  });
  const made = async (body: object) => (await good('POST', '/v1/variables', body)).json.id as string;
  const object = JSON.stringify({ user: 'u', password: marks.object });
  const ids = [
    await made({ name: 'INLINE', inline_value: `"${marks.inline}"\n€`, is_secret: true }),
    await made({ name: 'ENVIRONMENT', source: 'environment', env_var_name: 'ATRIUM_VAR_CANARY' }),
    await made({
      ...{ name: 'VAULT', source: 'vault', vault_credential_id: credential.json.id },
      ...{ vault_path: 'canary', vault_key: 'key' },
    }),
    await made({ name: 'OBJECT', type: 'object', inline_value: object, is_secret: true }),
  ];
  const settings = {
    ...{ model: [`${name}/one`], max_retries_per_model: 0, variables_enabled: true, variables: ids },
    persona: 'Send {{secret.INLINE}}, {{INLINE}}, {{secret.ENVIRONMENT}}, {{secret.VAULT}} and {{secret.OBJECT}}',
  };
  const body = { all: '{{secret.INLINE}} {{secret.ENVIRONMENT}} {{secret.VAULT}} {{secret.OBJECT}}' };

  return {
    ...app,
    ...{ call, good, marks, target, vault, provider, settings, ids, seen, credential_id: credential.json.id as string },

    /** The model's next two answers: a call of the tool that sends every secret, and what it says of it. */
    scriptSending: (next?: string) =>
      provider.reply(
        { tool_calls: [{ name: 'canary_send', input: { body, after: next } }] },
        { text: 'Sent {{secret.INLINE}}' },
      ),

    /** The model's next two answers: these calls, and what it says of them. */
    scriptTools: (...calls: [name: string, input: object][]) =>
      provider.reply(
        { tool_calls: calls.map(([tool, input], at) => ({ id: `c${at}`, name: tool, input })) },
        { text: 'Done' },
      ),

    /** Waits for a background run to finish, so that it does not consume replies scripted for the next run. */
    over: (id: string) =>
      until('the run is over', async () => {
        const { json } = await good('GET', `/v1/conversations/${id}`);
        return json.status === 'completed';
      }),

    agent: async () => (await good('POST', '/v1/agents', { name: 'canary', definition: settings })).json.id as string,

    /** A conversation that can send secrets; it has its name, so that the model is not asked for one. */
    conversation: async (more: object = {}) =>
      (await good('POST', '/v1/conversations', { name: 'canary', settings: { ...settings, ...more } })).json
        .id as string,
  };
}

export type CanaryApp = Awaited<ReturnType<typeof makeCanaryApp>>;
