import { setTimeout as sleep } from 'node:timers/promises';
import type { Planting } from './planting.ts';

/** Plants an evaluation with a case that was written, one that was made of a conversation of person A, and a mark. */
export async function plantEvaluation(planting: Planting, agent_id: string): Promise<void> {
  const { ask, note, query, administer } = planting;
  const settings = { model: ['atrium/extractive'], pii_anonimization: [] };
  const conversation_id = (
    await ask('POST', `/v1/conversations?assistant_id=${agent_id}`, { name: 'evaluated', settings })
  ).id;
  note('conversation', conversation_id);
  const content = planting.word('evaluation of a conversation', 'message');
  const { messages } = await ask('POST', `/v1/conversations/${conversation_id}`, { content });
  const message_id = note('message', messages.at(-1).id, { conversation: conversation_id });

  const cases = [
    { messages: [planting.word('evaluation', 'case')], expected: planting.word('evaluation', 'expected answer') },
  ];
  const body = { name: planting.word('evaluation', 'name'), agent_id, cases };
  const evaluation = note('evaluation', (await administer('POST', '/v1/evaluations', body)).id);
  const at = `/v1/evaluations/${evaluation}`;
  const copied = await administer('POST', `${at}/cases/from-message`, { conversation_id, message_id });
  note('evaluation_case', copied.id, { evaluation });
  const run = await administer('POST', `${at}/runs`, {});
  note('evaluation_run', run.id, { evaluation });
  for (let tries = 0; tries < 1000; tries++) {
    const { status } = await administer('GET', `${at}/runs/${run.id}`);
    if (status === 'completed' || status === 'failed') break;
    await sleep(20);
  }
  const mark = { passed: false, note: planting.word('evaluation of a conversation', 'note of a mark') };
  await administer('PUT', `${at}/runs/${run.id}/results/${copied.id}/mark`, mark);
  const [{ count }] = await query('select count(*)::int as count from evaluation_results');
  if (count === 0) throw new Error('the evaluation run has no results');
}
