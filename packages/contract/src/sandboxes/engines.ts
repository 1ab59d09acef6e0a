/** Kinds of sandboxes; the same words in settings, records and answers. */
export const sandboxEngineNames = ['bubblewrap', 'just-bash', 'docker', 'e2b', 'daytona'] as const;
export type SandboxEngineName = (typeof sandboxEngineNames)[number];

export const languages = ['bash', 'python', 'javascript'] as const;
export type Language = (typeof languages)[number];

/** Why a command ended: by itself, because a caller stopped it, or at one of the limits. */
export const endReasons = [
  'exit',
  'stopped',
  'timeout',
  'cpu',
  'memory',
  'processes',
  'file_size',
  'disk',
  'inodes',
  'output',
  'concurrency',
] as const;
export type EndReason = (typeof endReasons)[number];
