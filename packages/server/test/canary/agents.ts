import { until } from '../support/two-nodes.ts';
import type { CanaryPath } from './canary-path.ts';

/** Takes secrets through agents: versions, export and import, prompts, vaults and built-in tools. */
export const agentPaths: CanaryPath[] = [
  {
    path: 'agents: versions, differences, export and import',
    async run({ good, agent, settings }) {
      const id = await agent();
      await good('PATCH', `/v1/agents/${id}`, { definition: { tone: 'Never say {{secret.INLINE}}' } });
      await good('PATCH', `/v1/agents/${id}?preview=true`, { definition: { ...settings, tone: '{{INLINE}}' } });
      const { json: versions } = await good('GET', `/v1/agents/${id}/versions`);
      const [last, first] = versions.items ?? versions;
      await good('GET', `/v1/agents/${id}/versions/${first.id}`);
      await good('GET', `/v1/agents/${id}/versions/diff?from=${first.id}&to=${last.id}`);
      await good('POST', `/v1/agents/${id}/versions/${first.id}/publish`);
      const { json: file } = await good('GET', `/v1/agents/${id}/export`);
      await good('POST', '/v1/agents/import', file);
      await good('GET', '/v1/agents');
    },
  },
  {
    path: 'prompts and titles',
    async run({ good, settings, provider }) {
      const text = '{{secret.INLINE}} {{ENVIRONMENT}} {{secret.VAULT}} {{OBJECT}}';
      const everywhere = {
        ...{ tone: text, extra_instructions: text, prompt_defense: text, deployment_custom_instructions: text },
        ...{ memories: [{ text }], glossary: [{ term: text, definition: text }], agent_title_prompt: text },
        ...{ guidelines_enabled: true, guidelines: [{ condition: text, action: text }], message_footer: text },
        message_footer_enabled: true,
      };
      const { json } = await good('POST', '/v1/conversations', {
        ...{ settings: { ...settings, ...everywhere }, variables: { mine: text } },
      });
      const before = provider.requests.length;
      await good('POST', `/v1/conversations/${json.id}`, { content: text });
      // The title is asked for after the answer.
      await until('the title is asked for', () => provider.requests.length >= before + 2);
    },
  },
  {
    path: 'a vault that has ended',
    async run({ good, settings, marks, vault, provider }) {
      vault.addToken('short', {});
      const at = { name: 'gone', address: vault.address, auth_method: 'approle', role_id: 'canary' };
      const { json } = await good('POST', '/v1/vault-credentials', { ...at, secret_id: `${marks.secret_id}wrong` });
      const from = { source: 'vault', vault_credential_id: json.id, vault_path: 'canary', vault_key: 'key' };
      const { json: variable } = await good('POST', '/v1/variables', { name: 'GONE', is_secret: false, ...from });
      const own = { ...settings, variables: [variable.id], persona: '{{GONE}}' };
      const { json: talk } = await good('POST', '/v1/conversations', { name: 'gone', settings: own });
      await good('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' });
      provider.reply({ tool_calls: [{ name: 'canary_send', input: { body: '{{secret.GONE}}' } }] }, { text: 'No' });
      const { json: other } = await good('POST', '/v1/conversations', {
        ...{ name: 'gone', settings: { ...own, persona: '' } },
      });
      await good('POST', `/v1/conversations/${other.id}`, { content: 'Send it' });
    },
  },
  {
    path: 'the tools that every agent has: what they write down, and where it is read again',
    async run({ good, call, conversation, provider }) {
      const types = ['memory', 'files', 'filesystem', 'code_execution', 'todos'];
      const id = await conversation({
        ...{ base_tools: types.map((type) => ({ type, enabled: true })), parallel_tool_calls: false },
      });
      const inputs: [string, object][] = [
        ['memory_remember', { text: 'Keep {{secret.INLINE}} and {{secret.VAULT}}' }],
        ['memory_recall', { query: 'keep' }],
        ['todos_add_todo', { text: '{{secret.INLINE}}' }],
        ['files_make_document', { filename: 'a', format: 'text', content: '{{secret.OBJECT}}' }],
        ['filesystem_write', { path: 'b.txt', content: '{{secret.ENVIRONMENT}}' }],
        ['filesystem_search', { query: 'secret' }],
        ['code_execution_run', { language: 'bash', code: 'env; cat * # {{secret.INLINE}}' }],
      ];
      for (const [name, input] of inputs) {
        provider.reply({ tool_calls: [{ name, input }] }, { text: 'Kept' });
        await good('POST', `/v1/conversations/${id}`, { content: 'Keep it' });
      }
      for (const at of ['memories', 'files']) await good('GET', `/v1/conversations/${id}/${at}`);
      const { json } = await good('GET', `/v1/conversations/${id}/files`);
      for (const file of json.items) await call('GET', `/v1/conversations/${id}/files/${file.id}`);
    },
  },
];
