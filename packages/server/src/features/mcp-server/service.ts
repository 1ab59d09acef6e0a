import type { EndpointDeps, McpEndpoint } from './mcp-endpoint.ts';

/** The MCP server. The library behind it is loaded with the first request: it would take part of every start. */
export function makeMcpEndpoint(deps: EndpointDeps): McpEndpoint {
  let loading: Promise<McpEndpoint> | undefined;
  const load = () => {
    loading ??= import('./sdk-endpoint.ts').then(({ makeSdkEndpoint }) => makeSdkEndpoint(deps));
    return loading;
  };
  return {
    handle: async (...request) => (await load()).handle(...request),
    resume: async (...request) => (await load()).resume(...request),
    end: async (...request) => (await load()).end(...request),
  };
}
