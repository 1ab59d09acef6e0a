import { templates } from '../../src/workflows/list/templates.ts';
import type { consoleApp } from './console-app.ts';
import { fillBase } from './fill-base.ts';
import { makeRefundAgent, waitForAnswer, waitForRefund, waitForStep } from './requests.ts';

type ConsoleApp = Awaited<ReturnType<typeof consoleApp>>;

const answer = `Nothing speaks against it. Goods that arrive broken are refunded in full within **30 days** of delivery.

| what | when |
|---|---|
| refund | five days |
| new kettle | next week |

1. Check the order
2. Send the refund

\`\`\`js
const refund = { order: 1042, amount: 184 };
\`\`\`
`;

/** A workspace as it looks after some days of work, and the addresses of its pages. */
export async function fillWorkspace(app: ConsoleApp) {
  const agent = await makeRefundAgent(app);
  for (const name of ['Shop Guide', 'HR Helper', 'Invoice Reader'])
    await app.call('POST', '/v1/agents', { name, description: `Helps with ${name.toLowerCase()}`, definition: {} });
  agent.server.reply({ text: answer });
  const talk = (
    await app.call('POST', `/v1/conversations?assistant_id=${agent.agent_id}`, { name: 'Kettle arrived broken' })
  ).json.id as string;
  await app.say(talk, 'Customer 1042 says the kettle arrived broken. Can we refund it?');
  const waiting = await waitForRefund(app, agent, '1042');
  await waitForAnswer(app, agent, 'May I give ten percent?');
  await waitForStep(app, 'Publish 48 return labels?');
  const base = await fillBase(app, 'Handbook', {
    'returns.md': 'Goods that arrive broken are refunded within 30 days.',
  });
  const table = await fillTable(app);
  const flow = (await app.call('POST', '/v1/workflows', { name: 'Refund flow', definition: templates.approval })).json
    .id;
  const flowRun = (await app.call('POST', `/v1/workflows/${flow}/runs`, { input: { Amount: 250 }, tracing: true })).json
    .id;
  const pages = (w: string) => ({
    knowledge: `/w/${w}/knowledge`,
    'knowledge-documents': `/w/${w}/knowledge/${base}/documents`,
    'knowledge-search': `/w/${w}/knowledge/${base}/search?q=broken`,
    'knowledge-settings': `/w/${w}/knowledge/${base}/settings`,
    'chat-start': `/w/${w}/chat`,
    chat: `/w/${w}/chat/${talk}`,
    'chat-waiting': `/w/${w}/chat/${waiting}?panel=details`,
    'chat-gone': `/w/${w}/chat/00000000-0000-4000-8000-000000000000`,
    inbox: `/w/${w}/inbox`,
    'inbox-answered': `/w/${w}/inbox?status=decided`,
    agents: `/w/${w}/agents`,
    'agents-none': `/w/${w}/agents?search=nothing-like-it`,
    'agent-build': `/w/${w}/agents/${agent.agent_id}/build`,
    'agent-versions': `/w/${w}/agents/${agent.agent_id}/versions`,
    'agent-channels': `/w/${w}/agents/${agent.agent_id}/channels`,
    'agent-triggers': `/w/${w}/agents/${agent.agent_id}/triggers`,
    'agent-memory': `/w/${w}/agents/${agent.agent_id}/memory`,
    ...Object.fromEntries(
      ['files', 'variables', 'connections', 'sandboxes', 'webhooks', 'triggers'].map((tab) => [
        ...([`resources-${tab}`, `/w/${w}/resources/${tab}`] as const),
      ]),
    ),
    'admin-people': `/w/${w}/admin/people`,
    'admin-keys': `/w/${w}/admin/keys`,
    'admin-usage': `/w/${w}/admin/usage`,
    'admin-audit': `/w/${w}/admin/audit`,
    help: '/help',
    guide: '/help/budgets',
    tables: `/w/${w}/tables`,
    table: `/w/${w}/tables/${table}?cell=6.note`,
    'table-columns': `/w/${w}/tables/${table}/columns`,
    'table-sql': `/w/${w}/tables/sql?q=select customer, sum(amount) as total from orders group by 1`,
    'table-used-by': `/w/${w}/tables/${table}/used-by`,
    workflows: `/w/${w}/workflows`,
    workflow: `/w/${w}/workflows/${flow}?node=limit`,
    'workflow-run': `/w/${w}/workflows/${flow}?run=${flowRun}&node=ask`,
    'workflow-outline': `/w/${w}/workflows/${flow}?view=outline`,
    'workflow-versions': `/w/${w}/workflows/${flow}/versions`,
    runs: `/w/${w}/runs`,
    insights: `/w/${w}/insights`,
    evaluations: `/w/${w}/evaluations`,
    'no-page': `/w/${w}/nowhere`,
  });
  return { pages, agent, talk };
}

/** A table of orders; its id. */
async function fillTable(app: ConsoleApp): Promise<string> {
  const columns = [
    ...[{ name: 'customer' }, { name: 'product' }, { name: 'amount', type: 'number' }],
    ...[{ name: 'delivered', type: 'date' }, { name: 'refunded', type: 'boolean' }, { name: 'note' }],
  ];
  const { json } = await app.call('POST', '/v1/tables', { name: 'Orders', id_type: 'autoincrement', columns });
  const rows = Array.from({ length: 60 }, (_, at) => ({
    ...{ customer: ['Ada Byrne', 'Tom Becker', 'Lea Fischer'][at % 3], product: `Kettle K${at % 9}`, amount: at * 9.5 },
    ...{ delivered: `2026-11-${String((at % 28) + 1).padStart(2, '0')}`, refunded: at % 5 === 0 },
    note: at % 4 === 0 ? 'Asked for an invoice copy' : null,
  }));
  await app.call('POST', `/v1/tables/${json.id}/rows`, rows);
  return json.id as string;
}
