import { setTimeout as sleep } from 'node:timers/promises';
import { fileForm, type Planting } from './planting.ts';

/** What the hidden document is about, for a search that finds no other. */
export const hiddenTopic = 'narwhal';

/** Plants a knowledge base with a document for all of its readers and one that only person A may see. Returns its id. */
export async function plantKnowledge(planting: Planting): Promise<string> {
  const { ask, note, query, administer } = planting;
  const body = {
    name: planting.word('knowledge base', 'name'),
    description: planting.word('knowledge base', 'description'),
    settings_: { auto_summary: false, threshold_enabled: false },
  };
  const kb = note('knowledge_base', (await ask('POST', '/v1/knowledge-bases', body)).id);
  const at = `/v1/knowledge-bases/${kb}`;
  for (const [kind, visible_to] of [
    ['document', undefined],
    ['hidden document', `person:${planting.person_id}`],
  ] as const) {
    const prefix = `/${planting.bare(kind, 'folder')}`;
    const search = new URLSearchParams({ prefix, ...(visible_to && { visible_to }) });
    const filename = `${planting.bare(kind, 'name')}.txt`;
    const { headers, body: form } = fileForm(
      'files',
      filename,
      `${planting.word(kind, 'text')} ${visible_to ? hiddenTopic : 'wombat'}`,
    );
    await ask('POST', `${at}/upload_train?${search}`, form, headers);
    const [document] = await query('select id, file_id from kb_documents where name = $1', [filename]);
    note('kb_document', document.id, { knowledge_base: kb });
    note('file', document.file_id);
  }
  for (let tries = 0; tries < 3000; tries++) {
    const { training_documents, status } = await administer('GET', at);
    if (training_documents === 0 && status !== 'training') break;
    await sleep(20);
  }
  for (const { id, name } of await query('select id, name from kb_documents')) {
    const kind = planting.words.find(({ text }) => name.startsWith(text))?.kind as string;
    const passage = await ask('POST', `${at}/document/${id}/chunks`, { content: planting.word(kind, 'passage') });
    note('kb_chunk', passage.id, { knowledge_base: kb });
    const facts = JSON.stringify({ author: planting.word(kind, 'metadata') });
    const summaries = [planting.word(kind, 'summary'), planting.word(kind, 'short summary')];
    await query('update kb_documents set doc_metadata = $2, summary = $3, short_summary = $4 where id = $1', [
      id,
      facts,
      ...summaries,
    ]);
  }
  const site = { url: `http://127.0.0.1:9/${planting.bare('site', 'address')}` };
  const { id: site_id } = await ask('POST', `${at}/sites`, site);
  note('kb_site', site_id, { knowledge_base: kb });
  return kb;
}
