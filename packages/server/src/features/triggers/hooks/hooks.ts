import { createHash } from 'node:crypto';
import { AppError, conflict, InvalidRequest, notFound } from '@atrium/contract/errors.ts';
import type { HookAnswer } from '@atrium/contract/triggers/schema.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { isRecord } from '../../../lib/json/fields-of.ts';
import { readJson } from '../../../lib/json/read-json.ts';
import type { RawBody } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import { matchesSignature, sameText, signatureOf, signBody } from '../../../lib/secrets/webhook-signature.ts';
import { readForm } from '../../../lib/text/read-form.ts';
import type { Keyring } from '../../keyring/service.ts';
import { type Fire, scopeOf, type Targets } from '../deliver/deliveries.ts';
import { findByKey } from '../deliver/delivery-store.ts';
import { pausedReasonOf, requireNotPaused } from '../present.ts';
import { findByHash, type TriggerRow } from '../store.ts';

export interface Hooks {
  receive(scope: Scope, routing_key: string, raw: RawBody, query: Record<string, unknown>): Promise<HookAnswer>;
}

export const secretPurpose = (id: string) => `trigger ${id}`;
export const routingHash = (routing_key: string) => createHash('sha256').update(routing_key).digest();

const refused = (message: string, code: string) => new AppError('unauthorized', message, { code });
/** The headers that a sender proves itself by. */
const proofHeaders: Readonly<Record<string, string>> = {
  secret: 'X-Webhook-Secret, or Authorization: Bearer <secret>',
  hmac: 'webhook-id, webhook-timestamp and webhook-signature',
  hmac_body: 'X-Hub-Signature-256',
};
const badSignature = (auth: string | undefined) =>
  refused(`The signature is missing or not right. It goes into ${proofHeaders[auth ?? 'secret']}`, 'bad_signature');

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;
const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The fields of a form; of files, their names. */
async function fieldsOf(bytes: Buffer, type: string): Promise<Record<string, string>> {
  const form = await readForm(bytes, type);
  if (!form)
    throw new InvalidRequest([
      { ...{ loc: ['body'], type: 'form_invalid', input: null, ctx: {} }, msg: 'Input should be a valid form' },
    ]);
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('\0', '') : value.name]),
  );
}

/** A message as the run gets it: the fields of an object as they are, anything else as `body`. */
async function payloadOf({ bytes, headers }: RawBody): Promise<Record<string, unknown>> {
  const type = headers['content-type'] ?? '';
  if (bytes.length === 0) return {};
  if (isForm.test(type)) return fieldsOf(bytes, type);
  // NUL characters are removed, since PostgreSQL cannot store them in text.
  if (!isJson.test(type)) return { body: bytes.toString().replaceAll('\0', '') };
  const read = readJson(bytes);
  if (!read.ok)
    throw new InvalidRequest(
      read.validationErrors.map((validationError) => ({ ...validationError, loc: ['body', ...validationError.loc] })),
    );
  const { value } = read;
  return isRecord(value) ? value : { body: value };
}

const describingHeaders = /^(?:content-type|user-agent|webhook-(?:id|timestamp)|x-.+)$/;
/** Headers that may contain credentials. */
const credentialHeaders = /key|secret|signature|token|auth|cookie|credential|forwarded|real-ip/;

/** The headers that describe the message, without credentials of the sender. */
const visibleHeaders = (headers: RawBody['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => describingHeaders.test(name) && !credentialHeaders.test(name))
      .slice(0, 50)
      .map(([name, value]) => [name, value.slice(0, 500)]),
  );

/** Receives webhook messages. Answers when the message is stored; a message with a known id fires nothing. */
export function makeHooks(deps: { db: Database; clock: Clock; keyring: Keyring; fire: Fire; targets: Targets }): Hooks {
  const { db, clock, keyring, fire, targets } = deps;

  /** Checks a Standard Webhooks signature over id, time and body; the time must not be long ago. */
  function checkSigned({ definition }: TriggerRow, secret: string, { bytes, headers }: RawBody): void {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    if (!id || !signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) throw badSignature(definition.auth);
    if (!matchesSignature(signature, signatureOf(secret, { id, timestamp, body: bytes })))
      throw badSignature(definition.auth);
    const off = Math.abs(clock.now() / 1000 - Number(timestamp));
    if (off > (definition.tolerance_seconds ?? 300))
      throw refused('The time stamp in webhook-timestamp is too old, or in the future', 'timestamp_out_of_range');
  }

  async function checkSender(trigger: TriggerRow, raw: RawBody): Promise<void> {
    const { auth } = trigger.definition;
    if (auth === 'none') return;
    if (trigger.secret === null) throw badSignature(auth);
    const secret = await keyring.open(trigger.group_id, secretPurpose(trigger.id), trigger.secret);
    if (auth === 'hmac') return checkSigned(trigger, secret, raw);
    const { headers } = raw;
    const given =
      auth === 'hmac_body'
        ? (headers['x-hub-signature-256'] ?? headers['x-signature-256'])
        : (headers['x-webhook-secret'] ?? /^Bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]);
    const right = auth === 'hmac_body' ? signBody(secret, raw.bytes) : secret;
    if (given === undefined || !sameText(given, right)) throw badSignature(auth);
  }

  /** The id of a message for the detection of duplicates; a message without one is unique. */
  function nameOf({ definition }: TriggerRow, { headers }: RawBody, payload: Record<string, unknown>): string {
    // A signed id cannot be forged, so it wins.
    const signed = definition.auth === 'hmac' ? headers['webhook-id'] : undefined;
    const header = definition.dedupe_header && headers[definition.dedupe_header.toLowerCase()];
    const field = definition.dedupe_field !== undefined ? payload[definition.dedupe_field] : undefined;
    const name = signed ?? header ?? field ?? headers['webhook-id'] ?? headers['idempotency-key'];
    if (name === undefined || name === null || name === '') return `once ${newId()}`;
    return `message ${createHash('sha256')
      .update(typeof name === 'string' ? name : JSON.stringify(name))
      .digest('base64url')}`;
  }

  return {
    async receive(
      scope: Scope,
      routing_key: string,
      raw: RawBody,
      query: Record<string, unknown>,
    ): Promise<HookAnswer> {
      const trigger = await findByHash(db, routingHash(routing_key));
      if (!trigger) throw notFound('webhook');
      const own = scopeOf(trigger, scope.request_id, scope.log, scope.signal);
      // An owner without rights does not see the target; the sender is told that the trigger is paused.
      if (!pausedReasonOf(trigger) && !(await targets.exists(own, trigger))) throw notFound('webhook');
      await checkSender(trigger, raw);
      if (!trigger.enabled) throw conflict('This trigger is switched off', 'trigger_disabled');
      requireNotPaused(trigger);
      const payload = await payloadOf(raw);
      const dedupe_key = nameOf(trigger, raw, payload);
      const about = { headers: visibleHeaders(raw.headers), query };
      const made = await db.transaction(undefined, (tx) =>
        fire(tx, trigger, { source: 'webhook', dedupe_key, payload, about }),
      );
      const first = made ?? (await findByKey(db, trigger.group_id, trigger.id, dedupe_key));
      if (!first) throw notFound('webhook');
      return { success: true, id: first.id, duplicate: made === undefined };
    },
  };
}
