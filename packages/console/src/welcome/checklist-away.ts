const awayKey = 'atrium.checklist-away';

/** The workspaces whose first steps this browser has put away. */
function readAll(): string[] {
  try {
    return (localStorage.getItem(awayKey) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}
function writeAll(ids: readonly string[]): void {
  try {
    localStorage.setItem(awayKey, ids.join(' '));
  } catch {
    // The browser keeps nothing: the steps are shown again at the next visit.
  }
}

export const isAway = (workspaceId: string): boolean => readAll().includes(workspaceId);
export const putAway = (workspaceId: string): void => writeAll([...new Set([...readAll(), workspaceId])]);
export const bringBack = (workspaceId: string): void => writeAll(readAll().filter((id) => id !== workspaceId));
