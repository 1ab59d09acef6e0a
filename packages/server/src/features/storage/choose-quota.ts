import type { StorageQuota } from './ports.ts';

/**
 * The quota that holds for a workspace: the lower one of its own and the operator's. The default of the program only holds
 * for workspaces without their own.
 */
export function chooseQuota(own: number, server: { bytes: number; is_default: boolean }): StorageQuota {
  const isOwn = own > 0 && (server.is_default || server.bytes === 0 || own <= server.bytes);
  if (isOwn) return { bytes: own, source: 'workspace' };
  return { bytes: server.bytes, source: server.is_default ? 'default' : 'server' };
}
