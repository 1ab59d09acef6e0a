import type { Scope } from '../../lib/scope.ts';
import type { OpenCalls } from './open-calls.ts';
import type { ExposedTools } from './ports.ts';
import type { McpSessions } from './sessions.ts';

export interface EndpointDeps {
  offers: readonly ExposedTools[];
  calls: OpenCalls;
  sessions: McpSessions;
}

/** The MCP server, apart from its HTTP. */
export interface McpEndpoint {
  /** Handles one request of the protocol whose body was read. */
  handle(scope: Scope, request: Request, body: unknown, left: AbortSignal): Promise<Response>;
  /** Resumes the stream of a call after an event; undefined when the event is not one of ours. */
  resume(scope: Scope, request: Request, event_id: string, left: AbortSignal): Promise<Response | undefined>;
  /** Ends a session; an empty id is none. */
  end(scope: Scope, session: string): Promise<Response>;
}
