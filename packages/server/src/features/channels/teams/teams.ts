import { buffer } from 'node:stream/consumers';
import { type Web, WebRefused } from '../../../drivers/web/driver.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { type Asked, ask } from '../call-channel-api.ts';
import { type Channel, ChannelFailure, type ChannelRef, forged, type LoadedFile } from '../channel.ts';
import { messageOf, readActivity } from './read-activity.ts';
import { makeBotTokenVerifier } from './verify-bot-token.ts';

/** A message may have 28 KB with all that is around its words. */
const limit = 8000;
const largestFile = 25 * 1024 * 1024;
const json = { 'content-type': 'application/json' };

/** Whether replies, and with them our token, may go there. In plain only to a host that is named with its port. */
export function isServiceHost(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  if (hosts.includes(url.host) && (url.protocol === 'https:' || url.port !== '')) return true;
  return (
    url.protocol === 'https:' && hosts.some((host) => host.startsWith('*.') && url.hostname.endsWith(host.slice(1)))
  );
}

const pictureOf = ({ name, type, bytes }: LoadedFile) => ({
  ...{ name, contentType: type, contentUrl: `data:${type};base64,${bytes.toString('base64')}` },
});

/** Microsoft Teams, by the Bot Framework's REST API. */
export function makeTeamsChannel(web: Web): Channel {
  const checkToken = makeBotTokenVerifier(web);
  const tokens = new LruCache<string, { token: string; until: number }>({ max: 1000 });

  async function tokenOf({ id, config, secrets }: LiveDeployment): Promise<string> {
    const name = `${id} ${config.app_id} ${secrets['app_password']}`;
    const cached = tokens.get(name);
    if (cached && cached.until > Date.now()) return cached.token;
    const body = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: String(config.app_id) },
      ...{ client_secret: secrets['app_password'] ?? '', scope: 'https://api.botframework.com/.default' },
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, json } = await ask(web, 'The token address', String(config.token_url), {
      method: 'POST',
      headers,
      body,
    });
    const { access_token, expires_in } = json;
    if (status !== 200 || typeof access_token !== 'string')
      throw new ChannelFailure(`The token address answered with the status ${status}`);
    tokens.set(name, { token: access_token, until: Date.now() + Math.max(0, Number(expires_in ?? 0) - 300) * 1000 });
    return access_token;
  }

  const hostsOf = ({ config }: LiveDeployment) => (config.service_hosts as string[] | undefined) ?? [];

  async function call(
    deployment: LiveDeployment,
    ref: ChannelRef,
    method: 'POST' | 'PUT',
    below: string,
    text: string,
    files: readonly LoadedFile[] = [],
  ) {
    const service = String(ref['service_url']).replace(/\/+$/, '');
    if (!isServiceHost(service, hostsOf(deployment)))
      throw new ChannelFailure('The service address is none of service_hosts', { final: true });
    const url = `${service}/v3/conversations/${encodeURIComponent(String(ref['conversation']))}/activities${below}`;
    const body = JSON.stringify({
      ...{ type: 'message', text, textFormat: 'markdown', from: ref['bot'], recipient: ref['user'] },
      ...{ conversation: { id: ref['conversation'] }, replyToId: ref['activity_id'] },
      ...(files.length && { attachments: files.map(pictureOf) }),
    });
    let asked: Asked | undefined;
    for (let again = false; ; again = true) {
      const headers = { ...json, authorization: `Bearer ${await tokenOf(deployment)}` };
      asked = await ask(web, 'Teams', url, { method, headers, body });
      // A token may be taken back before its time.
      if (asked.status !== 401 || again) break;
      tokens.clear();
    }
    if (asked.status < 200 || asked.status > 299)
      throw new ChannelFailure(`Teams answered with the status ${asked.status}`, {
        final: [403, 404, 413].includes(asked.status),
      });
    return asked.json;
  }

  const replyTo = (ref: ChannelRef) => `/${encodeURIComponent(String(ref['activity_id']))}`;

  return {
    limit,
    // A message has 100 KB with the pictures in it; other files need each person's consent and a store of their own.
    carries: { each: 60 * 1024, total: 60 * 1024, types: /^image\/(?:png|jpeg|gif)$/ },

    async receive(deployment, { bytes, headers }) {
      const { openid_url, issuer, app_id } = deployment.config;
      const token = /^Bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
      if (!token) throw forged();
      // Nothing of the body is believed before its sender is known, but the token says which channel may have sent it.
      const told = readActivity(bytes);
      const claims = await checkToken(token, {
        ...{ openid_url: String(openid_url), issuer: String(issuer), audience: String(app_id) },
        channel_id: told.channelId,
      });
      // Replies go, with our token, where the request says: only what was signed counts.
      if (claims['serviceurl'] !== told.serviceUrl || !isServiceHost(told.serviceUrl, hostsOf(deployment)))
        throw forged();
      const message = messageOf(told);
      return { messages: message ? [message] : [], answer: {} };
    },

    async fetch(deployment, { url = '' }) {
      try {
        const ours = isServiceHost(url, hostsOf(deployment));
        const headers = ours ? { authorization: `Bearer ${await tokenOf(deployment)}` } : {};
        const answer = await web.fetch(url, { headers, max_bytes: largestFile });
        if (answer.status === 200) return await buffer(answer.body);
        answer.body.destroy();
        throw new ChannelFailure(`A file could not be had: its server answered with the status ${answer.status}`);
      } catch (error) {
        if (error instanceof WebRefused) throw new ChannelFailure(`A file could not be had: ${error.message}`);
        throw error;
      }
    },

    async thinking(deployment, ref, text) {
      const { id } = await call(deployment, ref, 'POST', replyTo(ref), text);
      return typeof id === 'string' ? id : null;
    },

    async send(deployment, { ref, text, placeholder, files }) {
      if (placeholder === null) await call(deployment, ref, 'POST', replyTo(ref), text, files);
      else await call(deployment, ref, 'PUT', `/${encodeURIComponent(placeholder)}`, text, files);
    },
  };
}
