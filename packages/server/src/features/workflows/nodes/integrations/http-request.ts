import { shown } from '@atrium/contract/expressions/functions.ts';
import {
  httpRequestNodeType,
  sendWebhookNodeType,
} from '@atrium/contract/workflows/node-types/integrations/http-request.ts';
import type { Web, WebRequest } from '../../../../drivers/web/driver.ts';
import { signatureOf } from '../../../../lib/secrets/webhook-signature.ts';
import { namesIn } from '../../../variable-templates/service.ts';
import { told } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode, type NodeContext } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';
import { isJson, partsOf, written } from './request-body.ts';

const mostBytes = 5_000_000;
/** How much of a refusal is kept for whoever looks for its reason. */
const mostSaid = 1000;

/** The host stands in the config and not in a value: what flows through a workflow can't choose where secrets go. */
function requireFixedHost(url: string): void {
  const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  if (host === '' || host.includes('(('))
    throw new NodeFailure('bad_address', 'An address that secrets are sent to has its host written out', {
      passing: false,
    });
}

/** Looked for in what is sent: a variable that is a secret is written like any other. */
const hasSecret = (sent: unknown) => namesIn(sent).handles.size > 0;

/** Values are escaped for where they stand: none can add a path or a parameter. */
const escaped = (value: unknown) => encodeURIComponent(shown(value).toWellFormed());

async function rendered(context: NodeContext, headers: Record<string, unknown>, values: Record<string, unknown>) {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) made[name] = await context.render(String(value), values);
  return made;
}

/** What came back, read to its end, as JSON where it is some. */
async function exchange(web: Web, context: NodeContext, url: string, request: WebRequest) {
  const answer = await told(web.fetch(url, { ...request, max_bytes: mostBytes, signal: context.signal }));
  const pieces: Buffer[] = [];
  await told(
    (async () => {
      for await (const piece of answer.body) pieces.push(piece as Buffer);
    })(),
  );
  const text = Buffer.concat(pieces).toString('utf8').toWellFormed();
  let body: unknown = text;
  if (/json/i.test(answer.headers['content-type'] ?? ''))
    try {
      body = JSON.parse(text);
    } catch {
      // It only says that it is JSON.
    }
  return context.scrub({ status: answer.status, headers: { ...answer.headers }, body });
}

export const makeHttpRequestNode = (web: Web) =>
  defineNode(httpRequestNodeType, async (context, { variables }, { method, url, headers, body, fail_on_status }) => {
    const values = variables as Record<string, unknown>;
    const address = await context.render(url, values, hostOpen(url) ? undefined : escaped);
    const parts = method === 'GET' ? [] : await partsOf(context, body, values);
    const own = await rendered(context, headers, values);
    const isSecret = hasSecret([address, own, parts]);
    if (isSecret) requireFixedHost(url);
    const told = await context.reveal({ address, parts, headers: typed(own, body) }, { address });
    const sent = method === 'GET' ? {} : { body: written(told.parts) };
    const request = { method, headers: told.headers, ...sent, has_secrets: isSecret };
    const response = await exchange(web, context, told.address, request);
    if (fail_on_status && response.status >= 400) {
      context.log(`It said: ${shown(response.body).slice(0, mostSaid)}`);
      throw new NodeFailure('bad_status', `The service answered with the status ${response.status}`, {
        passing: response.status === 429 || response.status >= 500,
      });
    }
    return { body: response.body, response };
  });

/** An address that is a value as a whole is taken as it is; in one that is written out, values are escaped. */
const hostOpen = (url: string) => /^\s*\(\(/.test(url);

function typed(headers: Record<string, string>, body: string): Record<string, string> {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (named || body === '') return headers;
  return { ...headers, 'content-type': isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' };
}

export const makeSendWebhookNode = (web: Web) =>
  defineNode(sendWebhookNodeType, async (context, { payload }, { url, secret }) => {
    const body = JSON.stringify({ run_id: context.run_id, workflow_id: context.workflow_id, data: payload });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'webhook-id': context.key,
      'webhook-timestamp': timestamp,
    };
    if (secret) {
      const key = await context.reveal(secret, { address: url });
      headers['webhook-signature'] = signatureOf(key, { id: context.key, timestamp, body });
    }
    // What flows through a workflow names no secrets: the payload goes out as it is.
    const address = await context.reveal(url, { address: url });
    const { status } = await exchange(web, context, address, { method: 'POST', headers, body, has_secrets: true });
    if (status >= 400)
      throw new NodeFailure('bad_status', `The receiver answered with the status ${status}`, {
        passing: status === 429 || status >= 500,
      });
    return { status };
  });
