import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type pg from 'pg';
import type { Address } from './connect-to-server.ts';

/** Numbers of PostgreSQL's protocol in place of a version. */
const [cancelRequest, sslRequest] = [80877102, 80877103];
const cancelMs = 5000;

function message(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length);
  [bytes.length, ...numbers].forEach((number, index) => {
    bytes.writeInt32BE(number | 0, 4 * index);
  });
  return bytes;
}

/** Asks the server over a second connection to end what the client's connection is doing. */
export async function sendCancel(
  address: Address,
  client: pg.Client,
  open: (address: Address, signal: AbortSignal) => Promise<Socket>,
): Promise<void> {
  const { processID, secretKey } = client as unknown as { processID: number | null; secretKey: number | null };
  if (processID === null || secretKey === null) return;
  const signal = AbortSignal.timeout(cancelMs);
  const socket = await open(address, signal);
  try {
    let stream = socket;
    if (address.ssl) {
      socket.write(message(sslRequest));
      const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
      if (answer.toString('latin1', 0, 1) !== 'S') return;
      stream = connectTls({ socket, ...address.ssl });
      await once(stream, 'secureConnect', { signal });
    }
    stream.end(message(cancelRequest, processID, secretKey));
    stream.resume();
    await once(stream, 'close', { signal });
  } finally {
    socket.destroy();
  }
}
