import type { Trigger } from './triggers.ts';

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const body = '{"hello": "world"}';

/** A command for a shell that calls the API with a key. */
export const curlOfKey = (origin: string, key: string) =>
  `curl ${quoted(`${origin}/v1/admin/me`)} -H ${quoted(`X-API-Key: ${key}`)}`;

/** A command for a shell that posts a message to a webhook trigger, with the header that its way of proof needs. */
export function curlOfHook(origin: string, { routing_key, definition }: Trigger, secret = 'THE_SECRET'): string {
  const send = `curl ${quoted(`${origin}/hooks/${routing_key}`)} -H 'Content-Type: application/json'`;
  const auth = String(definition['auth'] ?? 'none');
  if (auth === 'secret') return `${send} -H ${quoted(`X-Webhook-Secret: ${secret}`)} -d ${quoted(body)}`;
  if (auth === 'hmac_body')
    return [
      `BODY=${quoted(body)}`,
      `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac ${quoted(secret)} | sed 's/^.* //')`,
      `${send} -H "X-Hub-Signature-256: sha256=$SIGNATURE" -d "$BODY"`,
    ].join('; ');
  if (auth === 'hmac')
    return [
      `BODY=${quoted(body)}; ID=$(openssl rand -hex 16); TIME=$(date +%s)`,
      `KEY=$(printf %s ${quoted(secret.replace(/^whsec_/, ''))} | ${secret.startsWith('whsec_') || secret === 'THE_SECRET' ? 'base64 -d | ' : ''}od -An -v -tx1 | tr -d ' \\n')`,
      `SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)`,
      `${send} -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" -d "$BODY"`,
    ].join('; ');
  return `${send} -d ${quoted(body)}`;
}
