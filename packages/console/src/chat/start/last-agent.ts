const key = (workspaceId: string) => `atrium.agent.${workspaceId}`;

/** The agent that this browser asked last in a workspace. */
export function lastAgent(workspaceId: string): string | undefined {
  try {
    return localStorage.getItem(key(workspaceId)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberAgent(workspaceId: string, agentId: string): void {
  try {
    localStorage.setItem(key(workspaceId), agentId);
  } catch {
    // The browser keeps nothing; the next chat begins with the agent that changed last.
  }
}
