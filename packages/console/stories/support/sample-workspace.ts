import { templates } from '../../src/workflows/list/templates.ts';
import type { consoleApp } from './console-app.ts';
import { fillBase } from './fill-base.ts';
import { makeRefundAgent, waitForAnswer, waitForRefund, waitForStep } from './requests.ts';
import { fillRecords } from './sample-records.ts';

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
  const records = await fillRecords(app, agent.agent_id);
  const runOf = async (conversation: string) =>
    (await app.call('GET', `/v1/runs?conversation_id=${conversation}`)).json.items[0]?.id as string;
  const [talkRun, waitingRun] = [await runOf(talk), await runOf(waiting)];
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
    ...Object.fromEntries(
      ['', 'people', 'roles', 'keys', 'models', 'usage', 'audit', 'workspaces', 'retention', 'system'].map((part) => [
        ...([`admin-${part || 'overview'}`, `/w/${w}/admin/${part}`] as const),
      ]),
    ),
    'admin-everyone': `/w/${w}/admin/people?tab=everyone`,
    'admin-teams': `/w/${w}/admin/people?tab=teams`,
    'admin-sign-in': `/w/${w}/admin/people?tab=sign_in`,
    'admin-service-accounts': `/w/${w}/admin/keys?tab=accounts`,
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
    'workflow-failed': `/w/${w}/workflows/${records.flow}?run=${records.failedRun}&node=count`,
    'workflow-runs': `/w/${w}/workflows/${records.flow}/runs`,
    'workflow-triggers': `/w/${w}/workflows/${records.flow}/triggers`,
    runs: `/w/${w}/runs`,
    trace: `/w/${w}/runs/${talkRun}`,
    'trace-waiting': `/w/${w}/runs/${waitingRun}`,
    'trace-workflow': `/w/${w}/runs/${flowRun}`,
    'trace-failed': `/w/${w}/runs/${records.failedRun}`,
    insights: `/w/${w}/insights`,
    evaluations: `/w/${w}/evaluations`,
    evaluation: `/w/${w}/evaluations/${records.set}?run=${records.evaluationRun}`,
    'evaluation-cases': `/w/${w}/evaluations/${records.set}?view=cases`,
    'knowledge-quality': `/w/${w}/knowledge/${base}/quality`,
    'knowledge-sites': `/w/${w}/knowledge/${base}/sites`,
    'agent-evaluations': `/w/${w}/agents/${agent.agent_id}/evaluations`,
    'agent-insights': `/w/${w}/agents/${agent.agent_id}/insights`,
    'no-page': `/w/${w}/nowhere`,
  });
  const ids = { agent: agent.agent_id, base, table, flow: flow as string, set: records.set };
  return { pages, agent, talk, ids };
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
