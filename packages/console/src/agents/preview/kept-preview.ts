/** The preview conversation of each agent in this tab, so that it is there again after a reload. */
const keyOf = (agentId: string) => `atrium.preview.${agentId}`;

export function keptPreview(agentId: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(agentId)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepPreview(agentId: string, conversationId: string | undefined): void {
  try {
    if (conversationId) sessionStorage.setItem(keyOf(agentId), conversationId);
    else sessionStorage.removeItem(keyOf(agentId));
  } catch {
    // The browser keeps nothing; the preview begins anew after a reload.
  }
}
