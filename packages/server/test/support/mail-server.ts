import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail extends Email {
  /** The addresses that the mail was sent to, whatever it says itself. */
  recipients: string[];
}

/** A real mail server on loopback that takes mail of a client with the password; closed when the test file ends. */
export async function startMailServer({ refuse }: { refuse?: (count: number) => number | undefined } = {}) {
  const mails: ReceivedMail[] = [];
  let count = 0;
  const server = new SMTPServer({
    ...{ authOptional: false, allowInsecureAuth: true, hideSTARTTLS: true },
    onAuth: ({ username, password }, _, done) =>
      username === 'ada' && password === 'mail-password'
        ? done(null, { user: username })
        : done(Object.assign(new Error('no'), { responseCode: 535 })),
    async onData(stream, { envelope }, done) {
      const bytes = await buffer(stream);
      const code = refuse?.(++count);
      if (code) return done(Object.assign(new Error('not now'), { responseCode: code }));
      mails.push({ ...(await PostalMime.parse(bytes)), recipients: envelope.rcptTo.map(({ address }) => address) });
      done();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => new Promise<void>((closed) => server.close(() => closed())));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    settings: { host: '127.0.0.1', port, tls: 'none', username: 'ada', password: 'mail-password' } as const,
  };
}
