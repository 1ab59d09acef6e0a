import type { ServerProcess } from './server-process.ts';

/** For node: the process can be inspected, by programs of this machine only. */
export const inspectorFlag = '--inspect=127.0.0.1:0';

export interface Memory {
  /** What JavaScript holds, in MB. */
  heap: number;
  /** What buffers and other memory outside of the heap hold, in MB. */
  external: number;
}

export interface ProcessInspector {
  /** The memory that the process holds after a whole collection. */
  heldMemory(): Promise<Memory>;
  close(): void;
}

interface Reply {
  id?: number;
  result?: { result?: { value?: string } };
  error?: { message: string };
}

/** Inspects a process that was started with `inspectorFlag` and is ready. */
export async function openInspector(server: ServerProcess): Promise<ProcessInspector> {
  const address = /Debugger listening on (ws:\S+)/.exec(server.output())?.[1];
  if (!address) throw new Error('The process was started without its inspector');
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Reply>>();
  let calls = 0;
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onclose = () => {
    const error = new Error('The inspector has closed the connection');
    opened.reject(error);
    for (const { reject } of waiting.values()) reject(error);
  };
  socket.onmessage = ({ data }) => {
    const reply: Reply = JSON.parse(data);
    waiting.get(reply.id ?? 0)?.resolve(reply);
  };
  await opened.promise;

  async function call(method: string, params: object = {}): Promise<Reply> {
    const id = ++calls;
    const reply = Promise.withResolvers<Reply>();
    waiting.set(id, reply);
    socket.send(JSON.stringify({ id, method, params }));
    const { error, ...rest } = await reply.promise.finally(() => waiting.delete(id));
    if (error) throw new Error(`${method}: ${error.message}`);
    return rest;
  }

  return {
    async heldMemory() {
      await call('HeapProfiler.collectGarbage');
      const expression = 'JSON.stringify(process.memoryUsage())';
      const { result } = await call('Runtime.evaluate', { expression, returnByValue: true });
      const { heapUsed, external } = JSON.parse(result?.result?.value ?? '{}') as NodeJS.MemoryUsage;
      return { heap: heapUsed / 1024 ** 2, external: external / 1024 ** 2 };
    },
    close: () => socket.close(),
  };
}
