import type { TerminalSession } from './terminal-session.ts';

/** The terminals that this node runs. */
export interface OpenTerminals {
  add(id: string, session: TerminalSession): void;
  get(id: string): TerminalSession | undefined;
  /** Ends those of a sandbox. */
  end(sandbox_id: string): void;
  /** Resolves when no terminal runs in the sandbox. */
  idle(sandbox_id: string): Promise<void>;
  endAll(): Promise<void>;
}

export function makeOpenTerminals(): OpenTerminals {
  const sessions = new Map<string, TerminalSession>();
  const inSandbox = (sandbox_id: string) => [...sessions.values()].filter((each) => each.sandbox_id === sandbox_id);

  return {
    add(id, session) {
      sessions.set(id, session);
      void session.ended.then(() => sessions.delete(id));
    },
    get: (id) => sessions.get(id),
    end(sandbox_id) {
      for (const session of inSandbox(sandbox_id)) session.end('stopped');
    },
    idle: async (sandbox_id) => void (await Promise.all(inSandbox(sandbox_id).map(({ ended }) => ended))),
    async endAll() {
      for (const session of sessions.values()) session.end('lost');
      await Promise.all([...sessions.values()].map(({ ended }) => ended));
    },
  };
}
