import { plantAnalyses } from './plant-analyses.ts';
import { plantSandboxOf } from './plant-sandboxes.ts';
import type { Planting } from './planting.ts';

const tools = ['memory', 'agent_memory', 'filesystem', 'todos', 'code_execution'].map((type) => ({
  type,
  enabled: true,
}));
/** This model does what a message names, without a request to a provider. */
const settings = { model: ['atrium/extractive'], pii_anonimization: [], base_tools: tools };

/** Plants a conversation of person A with everything that belongs to it. */
export async function plantConversations(planting: Planting, agent_id: string): Promise<void> {
  const { ask, note, query } = planting;
  const create = async (kind: string, more: object = {}): Promise<string> =>
    note(
      'conversation',
      (
        await ask('POST', `/v1/conversations?assistant_id=${agent_id}`, {
          ...{ name: planting.word(kind, 'title'), settings, ...more },
        })
      ).id,
    );
  const conversation_id = await create('conversation', {
    variables: { city: planting.word('text of the server', 'variables of a conversation') },
  });
  const at = `/v1/conversations/${conversation_id}`;
  await ask('PATCH', at, { tags: [planting.bare('conversation', 'tag')] });

  const attachment = `${planting.bare('attachment', 'name')}.txt`;
  const bytes = Buffer.from(planting.word('attachment', 'content')).toString('base64');
  const files = [{ name: attachment, b64_content: bytes }];
  const said = await ask('POST', at, { content: planting.word('conversation', 'message'), files });
  for (const { id } of said.messages) note('message', id, { conversation: conversation_id });
  const [sent] = said.messages;
  const [{ id: attachment_id }] = await query('select id from files where filename = $1', [attachment]);
  note('file', attachment_id);

  /** Makes the model call a tool and returns the tool's result. */
  const callTool = async (tool: string, input: object, path = at) => {
    const { messages } = await ask('POST', path, { content: JSON.stringify(input), tool });
    const part = messages.at(-1).message_parts.find(({ type }: { type: string }) => type === 'function');
    return JSON.parse(part.content);
  };
  const written = { path: `${planting.bare('made file', 'name')}.txt`, content: planting.word('made file', 'content') };
  const made = (await callTool('filesystem_write', written)).files[0].id;
  note('conversation_file', made, { conversation: conversation_id });
  note('file', made);
  const memory = await callTool('memory_remember', { text: planting.word('conversation', 'memory') });
  note('conversation_memory', memory.id, { conversation: conversation_id });
  await callTool('todos_add_todo', { text: planting.word('conversation', 'to-do') });
  await callTool('code_execution_run', { language: 'bash', code: 'echo hello' });
  await plantSandboxOf(planting, conversation_id);

  const feedback = { rating: 'up', comment: planting.word('feedback', 'comment on a message') };
  await ask('POST', `${at}/messages/${sent.id}/feedback`, feedback);
  await ask('POST', `${at}/feedback`, { score: 4, comment: planting.word('feedback', 'comment on a conversation') });
  note(
    'conversation_share',
    (await ask('POST', `${at}/shares`, { person_id: planting.sharee_id, access: 'read' })).id,
    { conversation: conversation_id },
  );

  const waiting = await create('private conversation', { settings: { ...settings, base_tools: [] } });
  await ask('POST', `/v1/conversations/${waiting}`, { content: planting.word('private conversation', 'message') });
  await ask('PATCH', `/v1/conversations/${waiting}`, { settings });
  const remembered = { text: planting.word('memory about a person', 'text') };
  const own = await callTool('agent_memory_remember', remembered, `/v1/conversations/${waiting}`);
  note('agent_memory', own.id, { agent: agent_id });
  const guarded = [{ type: 'filesystem', enabled: true, requires_approval: true }];
  await ask('PATCH', `/v1/conversations/${waiting}`, { settings: { ...settings, base_tools: guarded } });
  const asked = { path: 'asked.txt', content: planting.word('approval', 'arguments') };
  await ask('POST', `/v1/conversations/${waiting}`, { content: JSON.stringify(asked), tool: 'filesystem_write' });
  const approvals = await ask('GET', `/v1/conversations/${waiting}/approvals`);
  note('approval', approvals.items[0].id, { conversation: waiting });

  const locked = await create('private conversation', { settings });
  await ask('POST', `/v1/conversations/${locked}/lock`, {
    message: planting.word('private conversation', 'lock message'),
  });

  const completion = {
    model: `agent:${agent_id}`,
    messages: [{ role: 'user', content: planting.word('completion', 'message') }],
    user: `${planting.bare('text of the server', 'end user of a completion')}@example.com`,
  };
  await ask('POST', '/v1/chat/completions', completion);
  await plantAnalyses(planting, { conversation_id, agent_id, message_id: sent.id });
  for (const { id, conversation_id: of } of await query('select id, conversation_id from runs order by created_at'))
    note('run', id, of ? { conversation: of } : {});
  for (const { id, run_id } of await query('select id, run_id from model_calls where run_id is not null limit 4'))
    note('model_call', id, { run: run_id });
}
