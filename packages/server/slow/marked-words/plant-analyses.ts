import type { Planting } from './planting.ts';

interface Conversation {
  conversation_id: string;
  agent_id: string;
  message_id: string;
}

/** Plants what models write about a conversation, as their jobs store it. */
export async function plantAnalyses(planting: Planting, { conversation_id, agent_id, message_id }: Conversation) {
  const { query, workspace_id } = planting;
  const insert = (table: string, row: object) =>
    query(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
      JSON.stringify({ workspace_id, conversation_id, agent_id, ...row }),
    ]);
  const now = new Date().toISOString();
  const [{ id: run_id }] = await query('select id from runs where conversation_id = $1 limit 1', [conversation_id]);
  const [{ id }] = await query('select gen_random_uuid() as id');
  const score = {
    id,
    source: 'judge',
    score: 4,
    reason: planting.word('text of the server', 'reason of a score'),
    at: now,
  };
  await insert('csat_scores', score);
  const violation = { id, run_id, message_id, stage: 'input', category: 'harm', severity: 'low', action: 'block' };
  const reason = planting.word('violation', 'reason');
  await insert('safety_violations', { ...violation, reason, assistant_id: agent_id, created_at: now });
  const answer = planting.word('insight', 'answer');
  await insert('custom_insights', { name: planting.word('insight', 'name'), type: 'text', answer, at: now });
  const topic = Object.fromEntries(['short', 'medium', 'long'].map((name) => [name, planting.word('topic', name)]));
  const times = { created_at: now, updated_at: now };
  await insert('topics', { id, ...topic, ...times, named: true, size: 30, weights: {} });
  const words = { [planting.bare('text of the server', 'words of a topic')]: 1 };
  await insert('conversation_topics', { topic_id: id, day: now.slice(0, 10), words });
  await insert('topic_words', {
    conversations: 1,
    words: { [planting.bare('text of the server', 'words of topics')]: 1 },
  });
  await insert('topic_days', { day: now.slice(0, 10), topic_id: id, n: 30 });
  await insert('topic_weeks', { week: now.slice(0, 10), topic_id: id, n: 30 });
  await query('update conversations set summary = $2, summary_message_id = $3 where id = $1', [
    ...[conversation_id, planting.word('text of the server', 'summary of a conversation'), message_id],
  ]);
}
