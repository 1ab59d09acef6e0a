import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { AllowList } from '../web/allow-list.ts';
import { makeCheckedSockets } from '../web/checked-socket.ts';
import { WebRefused } from '../web/driver.ts';
import { type Mail, MailRefused, type MailServer } from './driver.ts';

const allMs = 30_000;

/** A refusal of the receiver stands; one of who we are, or that comes later, may be over another time. */
function refused(error: unknown): MailRefused {
  if (error instanceof WebRefused)
    return new MailRefused(`The mail server could not be reached: ${error.message}`, false, error);
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === 'number') {
    const final = responseCode >= 550 && responseCode <= 554 && code !== 'EAUTH';
    return new MailRefused(`The mail server answered ${responseCode}`, final, error);
  }
  if (code === 'ETLS') return new MailRefused('The mail server does not encrypt as it should', false, error);
  return new MailRefused('The mail server could not be reached, or broke off', false, error);
}

/** Sends mail by SMTP. Where users name the server, its address is checked like that of any web page. */
export function makeSmtp(allow: AllowList): Mail {
  const open = makeCheckedSockets({ allow });

  /** Opens a connection for one piece of work. */
  async function connect(
    { host, port, tls, username, password }: MailServer,
    work: (transport: Transporter) => Promise<unknown>,
  ): Promise<void> {
    try {
      // Loaded with the first mail: it would take part of every start.
      const { createTransport } = await import('nodemailer');
      const name = isIP(host) === 6 ? `[${host}]` : host;
      const connection = await open(new URL(`http://${name}:${port}`), AbortSignal.timeout(allMs));
      const transport = createTransport({
        ...{ host, port, connection },
        ...{ secure: tls === 'tls', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
        ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
        ...{ greetingTimeout: 10_000, socketTimeout: allMs, disableFileAccess: true, disableUrlAccess: true },
      });
      try {
        await work(transport);
      } finally {
        transport.close();
        connection.destroy();
      }
    } catch (error) {
      throw refused(error);
    }
  }

  return {
    send: (server, mail) =>
      connect(server, (transport) =>
        transport.sendMail({
          ...{ from: mail.from, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text },
          attachments: mail.files.map(({ name, type, bytes }) => ({
            filename: name,
            contentType: type,
            content: bytes,
          })),
          messageId: mail.message_id,
          ...(mail.in_reply_to !== null && { inReplyTo: mail.in_reply_to }),
          ...{ references: [...mail.references], headers: { ...mail.headers } },
        }),
      ),
    check: (server) => connect(server, (transport) => transport.verify()),
  };
}
