import type { CanaryPath } from './canary-path.ts';

const formats = ['', '?format=ui', '?format=vercel', '?format=json'];

/** Takes secrets through tool calls, guardrails and event streams of conversations. */
export const conversationPaths: CanaryPath[] = [
  {
    path: 'tool calls, watched in every dialect',
    arrives: true,
    async run({ call, good, conversation, scriptSending }) {
      for (const format of formats) {
        const id = await conversation();
        scriptSending();
        await call('POST', `/v1/conversations/${id}/stream${format}`, { content: 'Send it' });
        for (const again of formats) await call('GET', `/v1/conversations/${id}/events${again}`);
        const { json: runs } = await good('GET', '/v1/runs');
        for (const again of formats) await call('GET', `/v1/runs/${runs.items[0].id}/events${again}`);
      }
    },
  },
  {
    path: 'tool calls that are refused, break or hang',
    arrives: true,
    async run({ good, conversation, scriptSending }) {
      for (const then of ['refuse', 'break', 'hang']) {
        const id = await conversation({ tool_timeout: 1 });
        scriptSending(then);
        await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      }
    },
  },
  {
    path: 'tool calls that people approve, and questions to people',
    arrives: true,
    async run({ good, call, conversation, scriptSending, provider, over }) {
      const tools = [{ type: 'canary', requires_approval: true }];
      for (const decision of ['approve', 'reject']) {
        const id = await conversation({ tools });
        scriptSending();
        await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
        const { json } = await good('GET', `/v1/conversations/${id}/approvals`);
        await good('POST', `/v1/conversations/${id}/approvals/${json.items[0].id}`, { decision, note: 'Fine' });
        await over(id);
        for (const format of formats) await call('GET', `/v1/conversations/${id}/events${format}`);
        await good('GET', '/v1/tool-calls');
        await good('GET', '/v1/approvals?status=all');
      }
      const id = await conversation({ base_tools: [{ type: 'human_in_the_loop', enabled: true }] });
      const input = { question: 'May I send {{secret.INLINE}}?' };
      provider.reply({ tool_calls: [{ name: 'human_in_the_loop_ask', input }] }, { text: 'So be it' });
      await good('POST', `/v1/conversations/${id}`, { content: 'Ask' });
      await good('GET', '/v1/approvals');
      await good('POST', `/v1/conversations/${id}/human`, { content: 'Send {{secret.INLINE}}' });
      await over(id);
    },
  },
  {
    path: 'placeholders for people, and guardrails',
    arrives: true,
    async run({ good, call, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}`, { content: 'I am anna.berg@example.com, send it' });
      // The model echoes its prompt instead of returning a verdict, so the guardrail blocks the message.
      const guarded = await conversation({ crime: 'High', jailbreak: true, context_leak: true });
      await good('POST', `/v1/conversations/${guarded}`, { content: 'Send {{secret.INLINE}}' });
      await call('GET', `/v1/conversations/${guarded}/events`);
    },
  },
  {
    path: 'answers that are waited for, edited and asked for again',
    arrives: true,
    async run({ call, good, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}/chat`, { content: 'Send it' });
      const { json } = await good('GET', `/v1/conversations/${id}`);
      scriptSending('refuse');
      const edit = `/v1/conversations/${id}/messages/${json.messages[0].id}/edit`;
      const { json: edited } = await good('POST', edit, { content: 'Again' });
      scriptSending();
      await good('POST', `/v1/conversations/${id}/messages/${edited.messages.at(-1).id}/regenerate`);
      scriptSending();
      const { json: runs } = await good('GET', '/v1/runs');
      const { json: run } = await good('POST', `/v1/runs/${runs.items[0].id}/retry`);
      await call('GET', `/v1/runs/${run.id}/events`);
      await good('GET', `/v1/runs/${run.id}`);
    },
  },
  {
    path: "clients of OpenAI's protocol",
    arrives: true,
    async run({ call, agent, scriptSending }) {
      const model = `agent:${await agent()}`;
      for (const stream of [false, true]) {
        scriptSending();
        const messages = [{ role: 'user', content: 'Send it' }];
        await call('POST', '/v1/chat/completions', { model, stream, messages });
      }
    },
  },
  {
    path: 'conversations: lists, pages, exports, shared links',
    arrives: true,
    async run({ call, good, conversation, scriptSending }) {
      const id = await conversation();
      scriptSending();
      await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      await good('GET', '/v1/conversations');
      await good('GET', `/v1/conversations/${id}/messages`);
      for (const format of ['markdown', 'json']) await call('GET', `/v1/conversations/${id}/export?format=${format}`);
      const { json } = await good('POST', `/v1/conversations/${id}/share`);
      const link = `/v1/public/conversations/${json.public_access_token}`;
      await good('GET', link);
      scriptSending();
      await call('POST', `${link}/stream?format=ui`, { content: 'Again' }, { key: null });
      await call('GET', `${link}/events`, undefined, { key: null });
      await good('PATCH', `/v1/conversations/${id}`, { settings: { tone: '{{secret.VAULT}}' } });
    },
  },
];
