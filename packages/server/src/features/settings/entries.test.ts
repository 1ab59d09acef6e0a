import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsInput } from '@atrium/contract/settings/settings.ts';

/** Whether the ids lead anywhere is another question; here only the shapes are looked at. */
function validationErrorsOf(settings: unknown): string[] {
  const parsed = settingsInput.safeParse(settings);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
}

const id = '018f0000-0000-7000-8000-000000000000';

const taken: Record<string, unknown[]> = {
  knowledge_bases: [id, { id }, { id, enabled: false, own: 1 }],
  workflows: [id, { id, version_id: id, inputs_descriptions: { a: 'the a' } }],
  coworkers: [id, { id, name: 'N', description: 'd', max_turns: 3 }],
  subagents: [id, { id, max_turns: '3', name: null }],
  tables: [id, { id, access: 'read' }, { id, access: 'write' }],
  databases: [
    { name: 'crm', dsn_variable: 'CRM_DSN' },
    { name: 'crm', dsn_variable: 'X', access: 'write' },
  ],
  mcp_servers: [{ name: 'm', url: 'https://x/mcp', headers: { authorization: 'x' }, allowed_tools: ['a'] }],
  skills: [
    { name: 's', description: 'd', instructions: 'i', file_ids: [id] },
    { name: 's', instructions: '' },
  ],
  actions: [
    {
      name: 'a',
      description: 'd',
      method: 'POST',
      url: 'https://x/{{id}}',
      headers: {},
      body: { a: 1 },
      input_schema: {},
    },
    { name: 'a', url: 'https://x', body: 'text' },
    { name: 'a', url: 'https://x' },
  ],
  variables: [id, { id }],
  agent_files: [id, { id }],
  chatflow_tools: ['kb_qa', 'web_research'],
  guidelines: [{ condition: 'asked for money', action: 'say no' }],
  glossary: [{ term: 't', definition: 'd' }],
  memories: [{ text: 'likes tea' }],
  insights_custom_definitions: [
    { name: 'n', question: 'q?', type: 'boolean' },
    { name: 'n', question: 'q?' },
  ],
  languages: ['en', 'nb'],
  stop_sequences: ['END'],
  hidden_tools: [],
};

const refused: Record<string, [entry: unknown, at: string][]> = {
  knowledge_bases: [
    [{}, '.id'],
    [5, ''],
    [{ id: 5 }, '.id'],
    [{ id, enabled: 'maybe' }, '.enabled'],
  ],
  workflows: [
    [{ id, inputs_descriptions: [] }, '.inputs_descriptions'],
    [{ id, version_id: 1 }, '.version_id'],
  ],
  coworkers: [
    [{ id, max_turns: 0 }, '.max_turns'],
    [{ id, name: '' }, '.name'],
  ],
  subagents: [
    [{ id, max_turns: 1001 }, '.max_turns'],
    [null, ''],
  ],
  tables: [
    [{ id, access: 'own' }, '.access'],
    [[], ''],
  ],
  databases: [
    ['crm', ''],
    [{ name: 'x' }, '.dsn_variable'],
    [{ dsn_variable: 'x' }, '.name'],
  ],
  mcp_servers: [
    [{ name: 'm' }, '.url'],
    [{ name: 'm', url: 'ftp://x' }, '.url'],
    [{ name: 'm', url: 'https://x', headers: { a: 1 } }, '.headers.a'],
    [{ name: 'm', url: 'https://x', allowed_tools: 'a' }, '.allowed_tools'],
  ],
  skills: [
    [{ name: 's' }, '.instructions'],
    [{ name: 's', instructions: 'i', file_ids: [1] }, '.file_ids.0'],
  ],
  actions: [
    [{ name: 'a' }, '.url'],
    [{ name: 'a', url: 'x', method: 'BREW' }, '.method'],
    [{ url: 'x' }, '.name'],
  ],
  variables: [[{ name: 'x' }, '.id']],
  agent_files: [[7, '']],
  chatflow_tools: [[{ type: 'x' }, '']],
  guidelines: [
    [{ condition: 'c' }, '.action'],
    ['c', ''],
  ],
  glossary: [
    [{ term: '', definition: 'd' }, '.term'],
    [{ term: 't' }, '.definition'],
  ],
  memories: [
    [{ text: '' }, '.text'],
    ['x', ''],
  ],
  insights_custom_definitions: [
    [{ name: 'n' }, '.question'],
    [{ name: 'n', question: 'q', type: '' }, '.type'],
  ],
  languages: [[5, '']],
};

for (const [list, entries] of Object.entries(taken))
  test(`the entries of ${list} are taken in every documented form and kept as they came`, () => {
    const parsed = settingsInput.safeParse({ [list]: entries });
    assert.ok(parsed.success, parsed.error?.message);
    const kept = JSON.parse(JSON.stringify(parsed.data)) as Record<string, unknown[]>;
    entries.forEach((entry, index) => {
      const read = kept[list]?.[index];
      if (typeof entry === 'string') assert.equal(read, entry);
      else
        for (const [name, value] of Object.entries(entry as object))
          if (value !== null && name !== 'max_turns') assert.deepEqual((read as Record<string, unknown>)[name], value);
    });
  });

for (const [list, entries] of Object.entries(refused))
  test(`an entry of ${list} that is wrong is refused at the very place`, () => {
    for (const [entry, at] of entries) assert.deepEqual(validationErrorsOf({ [list]: [entry] }), [`${list}.0${at}`]);
    assert.deepEqual(validationErrorsOf({ [list]: {} }), [list]);
  });
