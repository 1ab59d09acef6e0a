import { describedLogin } from '../../src/features/mcp/testing.ts';
import type { CanaryPath } from './canary-path.ts';

/** What agents reach elsewhere. */
export const outsidePaths: CanaryPath[] = [
  {
    path: 'requests, MCP servers and databases that settings describe',
    arrives: true,
    async run({ good, conversation, scriptTools, target, marks }) {
      const all = '{{secret.INLINE}} {{secret.ENVIRONMENT}} {{secret.VAULT}} {{secret.OBJECT}}';
      const id = await conversation({
        actions: [
          { name: 'send', method: 'POST', url: target.url, headers: { 'x-key': '{{secret.VAULT}}' }, body: all },
        ],
        // It answers what it was sent, which is no MCP; and its address is no database.
        mcp_servers: [{ name: 'echo', url: target.url, headers: { authorization: 'Bearer {{secret.VAULT}}' } }],
        databases: [{ name: 'd', dsn_variable: 'VAULT' }],
      });
      scriptTools(['action_send', {}], ['mcp_echo_unavailable', {}], ['databases_query', { database: 'd', sql: all }]);
      await good('POST', `/v1/conversations/${id}`, { content: 'Send it' });
      await good('GET', `/v1/conversations/${id}`);
      const login = { grant_type: 'client_credentials', token_url: target.url, client_id: 'c' };
      const { json } = await good('POST', '/v1/mcp-servers', {
        ...{ url: `${target.url}mcp`, ...login, client_secret: marks.inline },
      });
      const asking = await conversation({ mcp_servers: [{ name: 'login', url: `${target.url}mcp` }] });
      scriptTools(['mcp_login_unavailable', {}]);
      await good('POST', `/v1/conversations/${asking}`, { content: 'Ask it' });
      await good('GET', `/v1/mcp-servers/${json.id}`);
      await good('GET', '/v1/mcp-servers');
      await good('PATCH', `/v1/mcp-servers/${json.id}`, { client_id: 'd' });
      const people = await good('POST', '/v1/mcp-servers', {
        ...{
          url: await describedLogin(),
          grant_type: 'authorization_code',
          client_id: 'c',
          client_secret: marks.inline,
        },
      });
      await good('POST', `/v1/mcp-servers/${people.json.id}/authorize`, {});
    },
  },
];
