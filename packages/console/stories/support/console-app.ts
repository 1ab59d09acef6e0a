import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { AppOptions } from '../../../server/src/app.ts';
import type { Config } from '../../../server/src/config.ts';
import { makePeopleIn } from '../../../server/src/features/people/testing.ts';
import { scriptedApp } from '../../../server/test/support/scripted-app.ts';
import { type Look, openWindow } from './browser.ts';

/** A port that is free now: the server has to know its address before it listens. */
const freePort = () =>
  new Promise<number>((found, failed) => {
    const probe = createServer().once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(port));
    });
  });

/** A server with the built console and a scripted model. Each story has one of its own. */
export async function consoleApp(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const console_dir = join(import.meta.dirname, '../../dist');
  const scripted = await scriptedApp(
    { roles: ['http', 'worker'], public_url: address, console_dir, ...changes },
    options,
  );
  await scripted.app.server.listen({ host: '127.0.0.1', port });
  const people = await makePeopleIn(scripted);

  /** The token that the program prints while nobody has claimed the server. */
  async function claimToken(): Promise<string> {
    let token = '';
    await scripted.app.showClaim(async (shown) => {
      token = shown;
    });
    return token;
  }

  return {
    ...scripted,
    ...{ address, people, claimToken },
    /** A window of a person with this role, signed in. */
    async windowOf(role: 'Admin' | 'Editor' | 'Reader', look: Look = {}) {
      const person = await people.aMember(role);
      return { ...(await openWindow(address, person.cookie, look)), person, workspace: people.home };
    },
    /** A window in which nobody is signed in. */
    stranger: (look: Look = {}) => openWindow(address, undefined, look),
  };
}
