/** The workspace that this browser showed last, if the person still belongs to it. */
export function rememberedWorkspace(ids: readonly string[]): string | undefined {
  let last: string | null = null;
  try {
    last = localStorage.getItem('atrium.workspace');
  } catch {
    // The browser keeps nothing: the usual one comes first.
  }
  return ids.find((id) => id === last) ?? ids[0];
}
