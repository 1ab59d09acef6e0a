import { createHash } from 'node:crypto';
import { type Mail, MailRefused, type MailServer } from '../../../drivers/mail/driver.ts';
import { sameText } from '../../../lib/secrets/webhook-signature.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { type Channel, ChannelFailure, forged, type SentBytes } from '../channel.ts';
import { verifySignedRequest } from '../signature.ts';
import { stripQuotedText } from './mail-text.ts';
import { type ReadMail, readMail } from './read-mail.ts';

/**
 * Mail services that sign requests do it as webhooks do; other services send the secret as a header or as a password.
 */
function checkSender({ secrets }: LiveDeployment, sent: SentBytes): void {
  const secret = secrets['inbound_secret'];
  if (!secret) throw forged();
  const { 'webhook-signature': signature, 'x-webhook-secret': header, authorization = '' } = sent.headers;
  if (signature !== undefined) return void verifySignedRequest(secret, sent);
  const basic = /^Basic\s+([\w+/=-]+)$/i.exec(authorization)?.[1];
  const password =
    basic &&
    Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
  if (!sameText(header ?? password ?? '', secret)) throw forged();
}

const megabyte = 1024 * 1024;

const idsIn = (text: string | undefined) => [...(text ?? '').matchAll(/<[^<>\s]{1,500}>/g)].map(([id]) => id);

const automaticHeaders = [
  ...['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'x-loop'],
  ...['x-failed-recipients'],
];
/** What mail programs call what they write by themselves: services that hand on no headers leave nothing else to tell by. */
const automaticSubject =
  /^(?:auto(?:matic)?[ -]?(?:reply|response)\b|automatische antwort|abwesenheits|réponse automatique|respuesta automática|risposta automatica|out of (?:the )?office\b|undeliver(?:able|ed)\b|delivery status notification|mail delivery (?:failed|failure|subsystem)|returned mail\b|failure notice)/i;

/** A mail that a program wrote: answering it could go on for ever. */
function isAutomatic({ headers, from, subject }: ReadMail, own: string): boolean {
  const value = (name: string) => (headers.get(name) ?? '').trim().toLowerCase();
  const automatic = value('auto-submitted');
  return (
    (automatic !== '' && automatic !== 'no') ||
    /^(?:bulk|junk|list|auto_reply)$/.test(value('precedence')) ||
    automaticHeaders.some((name) => headers.has(name)) ||
    automaticSubject.test(subject.trim()) ||
    value('return-path') === '<>' ||
    value('content-type').startsWith('multipart/report') ||
    /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/.test(from) ||
    from === own.toLowerCase()
  );
}

function mayWrite({ config }: LiveDeployment, from: string): boolean {
  const allowed = (config.allowed_senders as string[] | undefined) ?? [];
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return allowed.length === 0 || allowed.some((one) => [from, domain].includes(one.toLowerCase().replace(/^@/, '')));
}

/** Exactly one address: with several in one header, the writer and the addressee of the answer could differ. */
const isAddress = (text: string) => /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\]+$/.test(text);

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24);
/** Our own mails name their thread: some mail programs tell only which one they answer. */
const ours = /^<([\da-f]{24})\.[\d-]+\.[\da-f-]{36}@/;

const isOwn = (message_id: string, deployment_id: string) =>
  ours.test(message_id) && message_id.includes(`.${deployment_id}@`);

/** Mail: comes in through a mail service's webhook, goes out by SMTP. */
export function makeEmailChannel(mail: Mail): Channel {
  const serverOf = ({ config, secrets }: LiveDeployment): MailServer => ({
    ...{ host: String(config.smtp_host), port: Number(config.smtp_port) },
    tls: config.smtp_tls as MailServer['tls'],
    username: (config.smtp_username as string | null) ?? null,
    password: secrets['smtp_password'] ?? null,
  });

  return {
    limit: 200_000,
    // Mail servers take some 25 MB, and a third is added on the way.
    carries: { each: 10 * megabyte, total: 15 * megabyte },

    async receive(deployment, sent) {
      checkSender(deployment, sent);
      const read = await readMail(sent);
      const own = String(deployment.config.address);
      if (!isAddress(read.from) || isAutomatic(read, own) || !mayWrite(deployment, read.from)) return { messages: [] };
      const message_id =
        idsIn(read.headers.get('message-id'))[0] ?? `<${hashOf(sent.bytes.toString('latin1'))}@unknown.invalid>`;
      // One of our own mails that came back, from any sender.
      if (isOwn(message_id, deployment.id)) return { messages: [] };
      const before = [...idsIn(read.headers.get('references')), ...idsIn(read.headers.get('in-reply-to'))];
      const known = before.map((id) => ours.exec(id)?.[1]).find(Boolean);
      const root = known ?? hashOf(before[0] ?? message_id);
      const said = stripQuotedText(read.text);
      const isFirst = before.length === 0;
      const text = isFirst && read.subject.trim() ? `Subject: ${read.subject.trim()}\n\n${said}` : said;
      if (!text.trim() && read.files.length === 0) return { messages: [] };
      const references = [...new Set([...before, message_id])].slice(-20);
      return {
        messages: [
          {
            event_id: message_id,
            // A sender who knows the id of another sender's mail is still not in that conversation.
            thread: `${root}:${read.from}`,
            ref: { address: read.from, name: read.name, subject: read.subject, message_id, references, root },
            ...{ text, files: read.files, sender: read.from },
          },
        ],
      };
    },

    async send(deployment, { id, ref, text, files }) {
      const { config } = deployment;
      const address = String(config.address);
      const subject = String(ref['subject'] ?? '')
        .replaceAll(/[\r\n]+/g, ' ')
        .trim();
      const headers = { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' };
      try {
        await mail.send(serverOf(deployment), {
          from: { name: String(config.from_name ?? deployment.agent_name), address },
          to: String(ref['address']),
          subject: /^re:/i.test(subject) ? subject : `Re: ${subject || 'Your message'}`,
          text,
          // The same when it is sent again: mail programs show it once.
          message_id: `<${ref['root']}.${id}.${deployment.id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
          in_reply_to: String(ref['message_id']),
          references: (ref['references'] as string[] | undefined) ?? [],
          headers,
          files,
        });
      } catch (error) {
        if (error instanceof MailRefused) throw new ChannelFailure(error.message, { final: error.final });
        throw error;
      }
    },
  };
}
