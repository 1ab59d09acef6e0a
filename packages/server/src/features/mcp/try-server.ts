import { invalid } from '@atrium/contract/errors.ts';
import type { McpTrial, McpTry } from '@atrium/contract/mcp/schema.ts';
import type { Database } from '../../db/database.ts';
import { type Mcp, McpServerError, type McpTool } from '../../drivers/mcp/driver.ts';
import { explainRefusal } from '../../drivers/web/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import { coverTexts } from '../../lib/secrets/cover-texts.ts';
import type { Tokens } from './oauth/tokens.ts';
import { serverAt } from './store.ts';

export type TryServer = (scope: Scope, input: McpTry) => Promise<McpTrial>;

const longest_ms = 10_000;
const mostTools = 1000;

/** Connects to a server once, lists its tools and closes the connection; nothing is kept. */
export function makeTryServer({
  db,
  mcp,
  tokens,
}: {
  db: Database;
  mcp: Mcp;
  tokens: Pick<Tokens, 'tokenOf'>;
}): TryServer {
  return async (scope, { url, headers = {} }) => {
    for (const [name, value] of Object.entries(headers))
      if (value.includes('{{'))
        throw invalid(['body', 'headers', name], 'templates are not filled in here', '********');
    if (url.includes('{{')) throw invalid(['body', 'url'], 'templates are not filled in here', url);
    const { workspace_id } = scope;
    const stored = await serverAt(db, workspace_id, url);
    const used_login = stored !== undefined && stored.grant_type !== null;
    const sent: (string | undefined)[] = Object.values(headers);
    const token = async (refused?: string) => {
      const current = await tokens.tokenOf(workspace_id, stored?.id ?? '', refused);
      sent.push(current);
      return current;
    };
    const started = Date.now();
    // What is true of every answer; a server may repeat the secrets that it was sent.
    const answer = (result: Pick<McpTrial, 'success' | 'code' | 'message'>, tools: readonly McpTool[] = []): McpTrial =>
      coverTexts(
        {
          ...{ ...result, ms: Date.now() - started, used_login },
          tools: tools.slice(0, mostTools).map(({ name, description, input_schema }) => ({
            ...{ name, description, input_schema },
          })),
        },
        sent,
      );
    const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(longest_ms)]);
    try {
      const target = { kind: 'http' as const, url, headers, ...(used_login && { token }) };
      const connection = await mcp.connect(target, signal, () => {});
      try {
        const tools = await connection.list(signal);
        const message = `It answered with ${tools.length} tool${tools.length === 1 ? '' : 's'}`;
        return answer({ success: true, code: null, message }, tools);
      } finally {
        void connection.close();
      }
    } catch (error) {
      if (!(error instanceof McpServerError)) throw error;
      const message = explainRefusal(error, { ...scope, permission: 'integrations_edit' });
      return answer({ success: false, code: error.code, message });
    }
  };
}
