import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { aNode, anEdge } from '../../../src/features/workflows/testing.ts';
import type { ChaosNodes } from '../chaos-nodes.ts';

/** Another server that counts what workflows send to it, and takes a while to answer. */
export async function startShop() {
  const told = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    told.set(body, (told.get(body) ?? 0) + 1);
    await sleep(150);
    response.end('{}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** How often this body was sent. */
    countOf: (body: string) => told.get(body) ?? 0,
    bodies: () => [...told.keys()],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A workflow that sends one field of its input to a server; its id. */
export async function makeTellingWorkflow(chaos: ChaosNodes, name: string, field: string, url: string) {
  const nodes = [
    aNode('in', 'InputNode', { label: field }),
    aNode('tell', 'HttpRequestNode', { method: 'POST', url, body: '((told))' }),
  ];
  const edges = [anEdge('in.output -> tell.variables[told]')];
  const flow = await chaos.insist('POST', '/v1/workflows', { name, type: 'flow', definition: { nodes, edges } });
  return flow.id as string;
}

/** Waits until no workflow run and no delivery of a trigger is open, a minute at most. */
export async function untilWorkflowsRest(chaos: ChaosNodes): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    const [{ open } = { open: 0 }] = await chaos.query<{ open: number }>(
      `select ((select count(*) from trigger_deliveries where status = 'pending')
        + (select count(*) from workflow_runs where finished_at is null))::int as open`,
    );
    if (open === 0) break;
  }
}
