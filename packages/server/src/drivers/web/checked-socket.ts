import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, connect as netConnect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { effectiveAddress, isMetadata, isMetadataName, isPublic } from './address-rules.ts';
import type { AllowList } from './allow-list.ts';
import { WebRefused } from './driver.ts';

/** Returns all addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;
export type Connect = (options: TcpNetConnectOpts) => Socket;

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** Rejects when the signal aborts. A lookup of the system can't be cancelled, only abandoned. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const ignored = () => {};

/**
 * Opens connections to checked addresses only. The name is resolved once, every address is checked, and the connection
 * uses these addresses, so that a second lookup can't return others.
 */
export function makeCheckedSockets(options: { allow: AllowList; resolve?: Resolve; connect?: Connect }) {
  const { allow, resolve = resolveBySystem, connect = netConnect } = options;

  function check(hostname: string, text: string | undefined): void {
    const address = effectiveAddress(text ?? '');
    const never = isMetadataName(hostname) || (address !== undefined && isMetadata(address));
    if (address && !never && (isPublic(address) || allow.address(address) || allow.host(hostname))) return;
    throw new WebRefused(
      'private_address',
      'it is at a private or reserved address, and those are not reached from here',
      undefined,
      // A metadata service is not reached even when it is listed.
      never ? null : 'the operator can list its host in ATRIUM_WEB_ALLOW',
    );
  }

  async function addressesOf(hostname: string): Promise<string[]> {
    const addresses = isIP(hostname) ? [hostname] : await resolve(hostname);
    if (addresses.length === 0) throw new WebRefused('unreachable', 'there is no such host');
    for (const address of addresses) check(hostname, address);
    return addresses;
  }

  return async function open(url: URL, signal: AbortSignal): Promise<Socket> {
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const secure = url.protocol === 'https:';
    const found = (await orAborted(addressesOf(hostname), signal)).map((address) => ({
      address,
      family: isIP(address),
    }));
    const [first] = found;
    const socket = connect({
      host: hostname,
      port: Number(url.port || (secure ? 443 : 80)),
      autoSelectFamily: true,
      // Not called when the host is an address, which was checked already.
      lookup: (_hostname, { all }, answer) =>
        all ? answer(null, found) : answer(null, first?.address ?? '', first?.family),
    });
    // The caller gets the first error; later errors of a socket without a caller must not end the process.
    socket.on('error', ignored);
    try {
      await once(socket, 'connect', { signal });
      // The server has closed the connection already: it counts as unreachable, not as private.
      if (socket.remoteAddress === undefined) throw new Error('The connection was closed');
      // The final check is the address that the socket is connected to, before any byte is sent.
      check(hostname, socket.remoteAddress);
      if (!secure) return socket;
      const servername = isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, '') };
      const encrypted = tlsConnect({
        socket,
        host: hostname,
        ...servername,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      });
      encrypted.on('error', ignored);
      await once(encrypted, 'secureConnect', { signal });
      return encrypted;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}
