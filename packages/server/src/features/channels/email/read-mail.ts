import { z } from 'zod';
import { readForm } from '../../../lib/text/read-form.ts';
import { type InboundFile, type SentBytes, unreadable } from '../channel.ts';
import { htmlToText } from './mail-text.ts';

/** A mail as far as the agent needs it. Names of headers are in lower case. */
export interface ReadMail {
  from: string;
  name: string;
  subject: string;
  text: string;
  headers: ReadonlyMap<string, string>;
  files: InboundFile[];
}

const anyString = z.string().nullish();
/** A mail as JSON: our own names, or those of mail services that write each word with a capital. */
const jsonMail = z.object({
  raw: anyString,
  raw_base64: anyString,
  from: anyString,
  fromname: anyString,
  subject: anyString,
  text: anyString,
  textbody: anyString,
  html: anyString,
  htmlbody: anyString,
  message_id: anyString,
  in_reply_to: anyString,
  references: anyString,
  headers: z
    .union([
      z.record(z.string(), z.string()),
      z.array(z.looseObject({ Name: anyString, Value: anyString, name: anyString, value: anyString })),
    ])
    .nullish(),
  attachments: z.array(z.record(z.string(), z.unknown())).max(100).nullish(),
});

const address = /<\s*([^<>\s]+@[^<>\s]+)\s*>|([^<>\s"]+@[^<>\s",;]+)/;
const addressIn = (text: string) => {
  const [, inBrackets, bare] = address.exec(text) ?? [];
  return (inBrackets ?? bare ?? '').toLowerCase();
};

async function fromMime(bytes: Uint8Array): Promise<ReadMail> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'base64' }).catch(() => {
    throw unreadable('This is no mail');
  });
  const headers = new Map(mail.headers.map(({ key, value }) => [key.toLowerCase(), value]));
  const text = mail.text?.trim() ? mail.text : htmlToText(mail.html ?? '');
  const files = mail.attachments
    .filter(({ disposition, filename }) => disposition === 'attachment' || filename)
    .map(({ filename, content }) => ({ name: filename || 'attachment', content: String(content) }));
  const from = mail.from?.address?.toLowerCase() ?? addressIn(headers.get('from') ?? '');
  return { from, name: mail.from?.name ?? '', subject: mail.subject ?? '', text, headers, files };
}

function fileOf(item: Record<string, unknown>): InboundFile[] {
  const lower = Object.fromEntries(Object.entries(item).map(([key, value]) => [key.toLowerCase(), value]));
  const { content, name, filename } = lower;
  return typeof content === 'string' ? [{ name: String(name ?? filename ?? 'attachment'), content }] : [];
}

function fromJson(bytes: Buffer): Promise<ReadMail> {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(bytes.toString()) as Record<string, unknown>;
  } catch {
    throw unreadable('This is no mail');
  }
  return fromFields(value);
}

async function fromFields(value: Record<string, unknown>): Promise<ReadMail> {
  const named = Object.fromEntries(Object.entries(value ?? {}).map(([key, field]) => [key.toLowerCase(), field]));
  const parsed = jsonMail.safeParse(named);
  if (!parsed.success) throw unreadable('This is no mail');
  const mail = parsed.data;
  if (mail.raw_base64) return fromMime(Buffer.from(mail.raw_base64, 'base64'));
  if (mail.raw) return fromMime(Buffer.from(mail.raw));
  const given = mail.headers ?? {};
  const pairs = Array.isArray(given)
    ? given.map((one) => [one.Name ?? one.name ?? '', one.Value ?? one.value ?? ''])
    : Object.entries(given);
  const headers = new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]));
  for (const name of ['message_id', 'in_reply_to', 'references'] as const)
    if (mail[name]) headers.set(name.replaceAll('_', '-'), mail[name]);
  const text = mail.text || mail.textbody || htmlToText(mail.html ?? mail.htmlbody ?? '');
  const files = (mail.attachments ?? []).flatMap(fileOf);
  const from = addressIn(mail.from ?? '');
  return { from, name: mail.fromname ?? '', subject: mail.subject ?? '', text, headers, files };
}

/** Headers as one text, or as a list of pairs in JSON. */
function headersIn(text: string): Record<string, string> {
  try {
    const pairs = z.array(z.tuple([z.string(), z.string()])).parse(JSON.parse(text));
    return Object.fromEntries(pairs);
  } catch {
    const lines = text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
    return Object.fromEntries(
      lines.flatMap((line) => {
        const colon = line.indexOf(':');
        return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : [];
      }),
    );
  }
}

/** What services that deliver a form call what ours does. */
const formNames: Record<string, string> = {
  ...{ 'body-plain': 'text', 'body-html': 'html', 'body-mime': 'raw', email: 'raw' },
  ...{ 'message-id': 'message_id', 'in-reply-to': 'in_reply_to' },
};

/** A form with the mail's fields and files. */
async function fromForm(bytes: Buffer, type: string): Promise<ReadMail> {
  const form = await readForm(bytes, type);
  if (!form) throw unreadable('This is no mail');
  const fields: Record<string, unknown> = {};
  const attachments: { name: string; content: string }[] = [];
  for (const [name, value] of form) {
    const lower = name.toLowerCase();
    if (typeof value !== 'string')
      attachments.push({ name: value.name, content: Buffer.from(await value.arrayBuffer()).toString('base64') });
    else if (lower === 'headers' || lower === 'message-headers') fields['headers'] = headersIn(value);
    // Where there are files, a field of this name says how many.
    else if (lower !== 'attachments') fields[formNames[lower] ?? lower] = value;
  }
  return fromFields({ ...fields, attachments });
}

/** What a mail service has delivered: the mail itself, or what it made of it. */
export function readMail({ bytes, headers }: SentBytes): Promise<ReadMail> {
  const type = headers['content-type'] ?? '';
  if (/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return fromForm(bytes, type);
  return /json/i.test(type) ? fromJson(bytes) : fromMime(bytes);
}
