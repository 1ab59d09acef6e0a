import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** A proxy in front of the server whose connections a test can cut, as a network does. */
export async function openCuttingProxy(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  /** Cuts a connection after so many bytes of its answer; undefined: never. */
  let limitBytes: (() => number | undefined) | undefined;
  let cuts = 0;
  const cut = (socket: Socket) => {
    cuts++;
    socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let left = limitBytes?.();
    open.add(near);
    near.on('close', () => {
      open.delete(near);
      far.destroy();
    });
    near.on('error', () => {});
    far.on('error', () => near.destroy());
    far.on('close', () => near.end());
    near.pipe(far);
    far.on('data', (bytes) => {
      if (near.destroyed || left === 0) return;
      const passed = bytes.subarray(0, left);
      if (left !== undefined) left -= passed.length;
      // The cut comes after the bytes have left, since a reset drops what was not sent yet.
      near.write(passed, () => left === 0 && setTimeout(() => cut(near), 5));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(bytes: (() => number | undefined) | undefined) {
      limitBytes = bytes;
    },
    cutAll() {
      for (const socket of open) cut(socket);
    },
    cuts: () => cuts,
  };
}
