import {
  type Mcp,
  type McpConnection,
  type McpResult,
  McpServerError,
  type McpTarget,
  type McpTool,
} from '../../drivers/mcp/driver.ts';
import { type ConnectionSlots, makeConnectionSlots } from './connection-slots.ts';

export interface McpConnections {
  /** Lists the tools of a server. A list that is a little old is returned at once and refreshed in the background. */
  tools(key: string, target: McpTarget, signal: AbortSignal): Promise<readonly McpTool[]>;
  call(
    key: string,
    target: McpTarget,
    name: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<McpResult>;
  close(): Promise<void>;
}

export interface ConnectionLimits {
  /** The time limit of connecting and of listing tools, each. */
  connect_ms: number;
  /** How long a run waits when no list is known yet. */
  wait_ms: number;
  /** How long a list is used before it is refreshed. */
  list_ms: number;
  /** How long a connection may stay unused before it is closed. */
  idle_ms: number;
  /** The first pause after a failure; each further failure doubles it, up to `longest_pause_ms`. */
  pause_ms: number;
  longest_pause_ms: number;
  calls_at_once: number;
}

const usual: ConnectionLimits = {
  ...{ connect_ms: 10_000, wait_ms: 5000, list_ms: 300_000, idle_ms: 300_000 },
  ...{ pause_ms: 1000, longest_pause_ms: 60_000, calls_at_once: 8 },
};

/** A server as one workspace reaches it, shared by all runs of the workspace. */
interface Entry {
  connection: McpConnection | undefined;
  connecting: Promise<McpConnection> | undefined;
  tools: readonly McpTool[] | undefined;
  tools_at: number;
  listing: Promise<readonly McpTool[]> | undefined;
  /** Failures in a row since the server last worked. */
  failures: number;
  /** The server is not tried again before this time. */
  not_before: number;
  trouble: McpServerError | undefined;
  used_at: number;
  places: ConnectionSlots;
}

/** Rejects when the signal aborts; the work itself goes on for other callers that wait for it. */
async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new McpServerError('timeout', 'it took too long', signal.reason));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Keeps the connections to MCP servers. A connection is opened once, however many runs want it. A server that fails is
 * not tried again for a growing pause, and callers get the error at once meanwhile, so a server that is down costs a
 * run nothing and a server that comes back is not flooded.
 */
export function makeMcpConnections({ mcp, limits = usual }: { mcp: Mcp; limits?: ConnectionLimits }): McpConnections {
  const entries = new Map<string, Entry>();

  function entryOf(key: string): Entry {
    const known = entries.get(key) ?? {
      ...{ connection: undefined, connecting: undefined, tools: undefined, tools_at: 0, listing: undefined },
      ...{
        failures: 0,
        not_before: 0,
        trouble: undefined,
        used_at: 0,
        places: makeConnectionSlots(limits.calls_at_once),
      },
    };
    known.used_at = Date.now();
    entries.set(key, known);
    return known;
  }

  function failed(entry: Entry, error: unknown): McpServerError {
    const trouble =
      error instanceof McpServerError ? error : new McpServerError('unreachable', 'it can not be used', error);
    const pause = Math.min(limits.longest_pause_ms, limits.pause_ms * 2 ** entry.failures++);
    entry.not_before = Date.now() + pause * (0.75 + Math.random() / 2);
    entry.trouble = trouble;
    return trouble;
  }

  /** Stops using a connection for new calls, and closes it when its last call is over. */
  function retire(entry: Entry, connection: McpConnection): void {
    if (entry.connection === connection) entry.connection = undefined;
    void entry.places.whenEmpty(connection).then(() => connection.close());
  }

  async function open(entry: Entry, target: McpTarget): Promise<McpConnection> {
    const forget = () => {
      entry.tools_at = 0;
    };
    try {
      const connection = await mcp.connect(target, AbortSignal.timeout(limits.connect_ms), forget);
      entry.connection = connection;
      void connection.closed.then(() => retire(entry, connection));
      return connection;
    } catch (error) {
      throw failed(entry, error);
    }
  }

  function connected(entry: Entry, target: McpTarget): Promise<McpConnection> {
    if (entry.connection) return Promise.resolve(entry.connection);
    if (!entry.connecting && Date.now() < entry.not_before) {
      const seconds = Math.ceil((entry.not_before - Date.now()) / 1000);
      const { code = 'unreachable', message = 'it can not be used', cause } = entry.trouble ?? {};
      return Promise.reject(new McpServerError(code, `${message}; it is tried again in ${seconds} s`, cause));
    }
    entry.connecting ??= open(entry, target).finally(() => {
      entry.connecting = undefined;
    });
    return entry.connecting;
  }

  async function list(entry: Entry, target: McpTarget): Promise<readonly McpTool[]> {
    const connection = await connected(entry, target);
    // A change that the server reports while the list is read leads to another read.
    const begun = Date.now();
    entry.tools_at = begun;
    try {
      const tools = await connection.list(AbortSignal.timeout(limits.connect_ms));
      entry.tools = tools;
      [entry.failures, entry.trouble, entry.not_before] = [0, undefined, 0];
      return tools;
    } catch (error) {
      entry.tools_at = 0;
      retire(entry, connection);
      throw failed(entry, error);
    }
  }

  function listed(entry: Entry, target: McpTarget): Promise<readonly McpTool[]> {
    entry.listing ??= list(entry, target).finally(() => {
      entry.listing = undefined;
    });
    // Callers that wait get the error; a refresh in the background has no caller, and the next run sees the failure.
    entry.listing.catch(() => {});
    return entry.listing;
  }

  const sweep = setInterval(() => {
    for (const [key, entry] of entries) {
      if (Date.now() - entry.used_at < limits.idle_ms || entry.places.taken > 0 || entry.connecting) continue;
      entries.delete(key);
      void entry.connection?.close();
    }
  }, limits.idle_ms / 5).unref();

  return {
    async tools(key: string, target: McpTarget, signal: AbortSignal): Promise<readonly McpTool[]> {
      const entry = entryOf(key);
      if (entry.tools && Date.now() - entry.tools_at < limits.list_ms) return entry.tools;
      const fresh = listed(entry, target);
      // A list that the server reported as changed, or that was never read, is waited for.
      if (entry.tools && entry.tools_at > 0) return entry.tools;
      return within(fresh, AbortSignal.any([signal, AbortSignal.timeout(limits.wait_ms)]));
    },

    async call(
      key: string,
      target: McpTarget,
      name: string,
      input: Record<string, unknown>,
      signal: AbortSignal,
    ): Promise<McpResult> {
      const entry = entryOf(key);
      for (let again = false; ; again = true) {
        const connection = await within(connected(entry, target), signal);
        const leave = await entry.places.take(connection, signal);
        try {
          return await within(connection.call(name, input, signal), signal);
        } catch (error) {
          if (!(error instanceof McpServerError)) throw error;
          const { code } = error;
          if (code === 'timeout' || code === 'closed' || code === 'unreachable' || code === 'session_lost')
            retire(entry, connection);
          // A server that was restarted knows neither the session nor this call, so the call is sent again.
          if (code !== 'session_lost' || again) throw error;
        } finally {
          leave();
          entry.used_at = Date.now();
        }
      }
    },

    async close(): Promise<void> {
      clearInterval(sweep);
      const open = [...entries.values()];
      entries.clear();
      await Promise.all(open.map(({ connection }) => connection?.close()));
    },
  };
}
