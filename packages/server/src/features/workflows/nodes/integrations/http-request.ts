import { shown } from '@atrium/contract/expressions/functions.ts';
import {
  httpRequestNodeType,
  sendWebhookNodeType,
} from '@atrium/contract/workflows/node-types/integrations/http-request.ts';
import type { Web, WebRequest } from '../../../../drivers/web/driver.ts';
import { signatureOf } from '../../../../lib/secrets/webhook-signature.ts';
import { namesIn } from '../../../variable-templates/service.ts';
import { rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode, type NodeContext } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';
import { isJson, joinBodyParts, partsOf } from './request-body.ts';

const mostBytes = 5_000_000;
/** How many characters of an error body go into the log. */
const longestLoggedBody = 1000;

/** Requires that the host is part of the config: values of a workflow must not choose where secrets are sent. */
function requireFixedHost(url: string): void {
  const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  if (host === '' || host.includes('(('))
    throw new NodeFailure('bad_address', 'An address that secrets are sent to has its host written out', {
      passing: false,
    });
}

/** Looks at the rendered request, since {{name}} may stand for a variable that contains a secret. */
const hasSecret = (sent: unknown) => namesIn(sent).handles.size > 0;

/** Escapes a value for an address, so that it cannot add a path or a parameter. */
const escapeForAddress = (value: unknown) => encodeURIComponent(shown(value).toWellFormed());

async function renderHeaders(context: NodeContext, headers: Record<string, unknown>, values: Record<string, unknown>) {
  const rendered: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) rendered[name] = await context.render(String(value), values);
  return rendered;
}

/** The only hosts that the conversation behind the run may reach; none: any. */
const hostsOf = ({ scope }: NodeContext) => (scope.inherits?.settings['allowed_hosts'] ?? []) as readonly string[];

/** Sends a request and reads the whole answer; a JSON body is parsed. */
async function exchange(web: Web, context: NodeContext, url: string, request: WebRequest) {
  const answer = await rethrowAsNodeFailure(
    web.fetch(url, { ...request, max_bytes: mostBytes, hosts: hostsOf(context), signal: context.signal }),
    context.scope,
  );
  const pieces: Buffer[] = [];
  await rethrowAsNodeFailure(
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
      // The content type is wrong: the body stays text.
    }
  return context.scrub({ status: answer.status, headers: { ...answer.headers }, body });
}

export const makeHttpRequestNode = (web: Web) =>
  defineNode(httpRequestNodeType, async (context, { variables }, { method, url, headers, body, fail_on_status }) => {
    const values = variables as Record<string, unknown>;
    const address = await context.render(url, values, isWholeValue(url) ? undefined : escapeForAddress);
    const parts = method === 'GET' ? [] : await partsOf(context, body, values);
    const ownHeaders = await renderHeaders(context, headers, values);
    const isSecret = hasSecret([address, ownHeaders, parts]);
    if (isSecret) requireFixedHost(url);
    const revealed = await context.reveal({ address, parts, headers: withContentType(ownHeaders, body) }, { address });
    const sent = method === 'GET' ? {} : { body: joinBodyParts(revealed.parts) };
    const request = { method, headers: revealed.headers, ...sent, has_secrets: isSecret };
    const response = await exchange(web, context, revealed.address, request);
    if (fail_on_status && response.status >= 400) {
      context.log(`It said: ${shown(response.body).slice(0, longestLoggedBody)}`);
      throw new NodeFailure('bad_status', `The service answered with the status ${response.status}`, {
        passing: response.status === 429 || response.status >= 500,
      });
    }
    return { body: response.body, response };
  });

/** An address that begins with a ((Key)) is used as it is; in others, values are escaped. */
const isWholeValue = (url: string) => /^\s*\(\(/.test(url);

function withContentType(headers: Record<string, string>, body: string): Record<string, string> {
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
    // Handles in the payload are not replaced: values of a workflow cannot name secrets.
    const address = await context.reveal(url, { address: url });
    const { status } = await exchange(web, context, address, { method: 'POST', headers, body, has_secrets: true });
    if (status >= 400)
      throw new NodeFailure('bad_status', `The receiver answered with the status ${status}`, {
        passing: status === 429 || status >= 500,
      });
    return { status };
  });
