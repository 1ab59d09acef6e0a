import type { Web } from '../web/driver.ts';
import type { Mcp } from './driver.ts';

/** Connects to MCP servers. The library is loaded with the first connection: it would take part of every start. */
export function makeLazyMcp(web: Web): Mcp {
  let loading: Promise<Mcp> | undefined;
  return {
    async connect(...target) {
      loading ??= import('./sdk-client.ts').then(({ makeMcp }) => makeMcp(web));
      return (await loading).connect(...target);
    },
  };
}
